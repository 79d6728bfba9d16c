import EntiaDatabase

/// The laws of a database, checked over random histories, after every step.
///
/// ```swift
/// @Test(arguments: StorageLaw.allCases)
/// func lawHolds(_ law: StorageLaw) throws { try StorageLaws(LibrarySubject.self).check(law) }
/// ```
///
/// The storage's `finalizeTransaction` may refuse batches. If it writes rows, laws 9, 12 and 15
/// fail, because a batch then has more changes than its closure made.
public struct StorageLaws<Subject: LawSubject> {
  /// The database on which the laws are checked.
  public typealias Storage = Subject.Storage

  let runs: LawRuns
  let parts = StorageParts<Storage>()
  package var operations = StorageOperations<Storage>()

  /// Creates the laws for a subject.
  /// - Parameters:
  ///   - subject: The subject, which edits the database.
  ///   - runs: The histories.
  public init(_ subject: Subject.Type = Subject.self, runs: LawRuns = LawRuns()) {
    self.runs = runs
  }

  /// Checks every law.
  /// - Throws: `LawViolation` for the first law that does not hold, `LawSettingsError` if the
  ///   environment is invalid.
  public func check() throws {
    for law in StorageLaw.allCases { try check(law) }
  }

  /// Checks one law.
  /// - Throws: `LawViolation` if the law does not hold, `LawSettingsError` if the environment is
  ///   invalid.
  public func check(_ law: StorageLaw) throws {
    try runs.run(law: law.number, statement: law.statement) { random, step in
      var history = StorageHistory(Subject.self)
      for index in 0..<runs.steps {
        step = index
        history.keep(&random)
        let before = history.storage
        try history.advance(operations, &random)
        try check(
          law, LawStep(history: history, before: before, parts: parts, operations: operations),
          &random)
      }
    }
  }

  private func check(
    _ law: StorageLaw, _ step: LawStep<Subject>, _ random: inout SeededGenerator
  ) throws {
    switch law {
    case .versionsAreFixed: try step.checkVersions()
    case .changesLeadToTheNewVersion: try step.checkChanges()
    case .changesInvertAndCompose: try step.checkAlgebra()
    case .equalContentIsEqual: try step.checkEquality(&random)
    case .throwsLeaveNoTrace: try step.checkThrow(&random)
    case .batchesConcatenate: try step.checkConcatenation(&random)
    case .doneAndUndoneIsNoChange: try step.checkTakingBack(&random)
    case .staleBatchesAreRefused: try step.checkStale(&random)
    case .batchesReadTheirWrites: try step.checkStagedReads(&random)
    case .linksFollowTheRows: try step.checkLinks()
    case .indexesFollowTheRows: try step.checkIndexes(&random)
    case .bothEndsAgree: try step.checkEnds()
    case .deleteRulesAreExact: try step.checkDeletes(&random)
    case .countsAreKept: try step.checkCounts()
    case .danglingIsListed: try step.checkDangling()
    case .foreignWritesAreSound: try step.checkForeignWrites(&random)
    case .mergesBringBothTogether: try step.checkMerges(&random)
    }
  }
}

/// A database and kept versions of it, each with the image that was read from it at that time.
struct StorageHistory<Subject: LawSubject> {
  typealias Storage = Subject.Storage

  var storage = Subject.makeStorage()
  var kept: [(storage: Storage, image: StorageImage)] = []
  private let parts = StorageParts<Storage>()

  init(_ subject: Subject.Type) {}

  mutating func keep(_ random: inout SeededGenerator) {
    guard kept.isEmpty || random.oneIn(2) else { return }
    if kept.count == 4 { kept.remove(at: random.number(in: 0..<4)) }
    kept.append((storage, StorageImage(of: storage, parts)))
  }

  /// Runs a batch of a few edits. A refused batch is also part of the history.
  mutating func advance(
    _ operations: StorageOperations<Storage>, _ random: inout SeededGenerator
  ) throws {
    // Histories fork: sometimes an old version is continued.
    if random.oneIn(12), let version = kept.randomElement(using: &random) {
      storage = version.storage
    }
    var refused = false
    do {
      try operations.perform(&storage) { context in
        do {
          for _ in 0...random.number(in: 0..<3) { try Subject.edit(&context, using: &random) }
        } catch {
          refused = true
          throw error
        }
      }
    } catch {
      // Law 8 checks the state after a refusal. Here the error only has to be a refusal.
      guard refused || error is BatchError else { throw error }
    }
  }
}
