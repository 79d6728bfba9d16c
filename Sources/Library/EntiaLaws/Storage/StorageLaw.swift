/// A law of databases.
public enum StorageLaw: CaseIterable, Sendable, CustomStringConvertible {
  /// The contents of a kept version never change.
  case versionsAreFixed
  /// Changes applied to the old version result in the new version, and list only differences.
  case changesLeadToTheNewVersion
  /// Change sets can be inverted and composed.
  case changesInvertAndCompose
  /// Versions with equal content are equal, regardless of their histories.
  case equalContentIsEqual
  /// A throw at any point of a batch leaves no trace.
  case throwsLeaveNoTrace
  /// n batches have the effect of one concatenated batch.
  case batchesConcatenate
  /// Edits that a batch makes and undoes are no change.
  case doneAndUndoneIsNoChange
  /// A batch on an old version is refused.
  case staleBatchesAreRefused
  /// Reads inside a batch see its own writes and deletes.
  case batchesReadTheirWrites
  /// Reverse maps equal newly built ones.
  case linksFollowTheRows
  /// Indexes equal newly built ones.
  case indexesFollowTheRows
  /// A to-many relationship keeps its order, and both of its ends agree.
  case bothEndsAgree
  /// Delete rules have exactly their specified effects, in any order of deletes.
  case deleteRulesAreExact
  /// No list has fewer or more targets than its limits allow.
  case countsAreKept
  /// Verification lists exactly the dangling references.
  case danglingIsListed
  /// Change sets and merges cause no new defects.
  case foreignWritesAreSound
  /// Merges have the changes of both sides, and keep rows next to their neighbors.
  case mergesBringBothTogether
  /// Recorded ages and recorded answers to requests contain only rows that exist. No eviction
  /// removes a row that must be kept.
  case evictionsSpareWhatIsKept

  /// The number of the law.
  package var number: Int {
    switch self {
    case .versionsAreFixed: 2
    case .changesLeadToTheNewVersion, .changesInvertAndCompose: 3
    case .equalContentIsEqual: 5
    case .throwsLeaveNoTrace: 8
    case .batchesConcatenate: 9
    case .doneAndUndoneIsNoChange: 10
    case .staleBatchesAreRefused: 11
    case .batchesReadTheirWrites: 12
    case .linksFollowTheRows, .indexesFollowTheRows: 13
    case .bothEndsAgree: 14
    case .deleteRulesAreExact: 15
    case .countsAreKept: 16
    case .danglingIsListed: 17
    case .foreignWritesAreSound: 40
    case .mergesBringBothTogether: 41
    case .evictionsSpareWhatIsKept: 47
    }
  }

  /// Whether the law compares the images of kept versions.
  var comparesImages: Bool {
    switch self {
    case .versionsAreFixed, .changesLeadToTheNewVersion, .changesInvertAndCompose,
      .equalContentIsEqual:
      true
    default: false
    }
  }

  /// The statement of the law.
  package var statement: String {
    switch self {
    case .versionsAreFixed: "a version taken earlier reads the same forever"
    case .changesLeadToTheNewVersion:
      "changes applied to the old version give the new one, and list nothing that did not change"
    case .changesInvertAndCompose:
      "inverted changes lead back, and composed ones are the changes over both"
    case .equalContentIsEqual: "equal content is equal whatever the history, other content is not"
    case .throwsLeaveNoTrace: "a throw at any point of a batch leaves the database as it was"
    case .batchesConcatenate: "n batches give what one concatenated batch gives"
    case .doneAndUndoneIsNoChange: "what a batch does and takes back leaves no change"
    case .staleBatchesAreRefused: "a batch begun on an old version is refused"
    case .batchesReadTheirWrites: "reads inside a batch see its own writes and deletes"
    case .linksFollowTheRows: "every reverse map equals itself rebuilt from scratch"
    case .indexesFollowTheRows: "every index equals itself rebuilt from scratch, in batches too"
    case .bothEndsAgree: "both ends of a relationship agree, and a list keeps its order"
    case .deleteRulesAreExact:
      "cascade, nullify and deny touch exactly whom they should, in any order of deletes"
    case .countsAreKept: "no list names fewer or more than its limits allow"
    case .danglingIsListed: "verification lists exactly the keys that lead nowhere"
    case .foreignWritesAreSound:
      "what is applied or merged leaves nothing wrong that no version had, or is refused"
    case .mergesBringBothTogether:
      "a merge has what both sides changed, rows in order beside their neighbors"
    case .evictionsSpareWhatIsKept:
      "ages and answers have only rows that exist, and no eviction removes what is kept"
    }
  }

  /// The number and the statement.
  public var description: String { "Law \(number): \(statement)" }
}
