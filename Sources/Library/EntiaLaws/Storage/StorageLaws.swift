public import EntiaDatabase
import Foundation

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
  package typealias Storage = Subject.Storage

  let runs: LawRuns
  let parts = CheckedParts<Storage>()
  package var operations = StorageOperations<Storage>()

  /// Creates the laws for a subject.
  /// - Parameters:
  ///   - subject: The subject, which edits the database.
  ///   - runs: The random histories on which the laws are checked.
  public init(_ subject: Subject.Type = Subject.self, runs: LawRuns = LawRuns()) {
    self.runs = runs
  }

  /// Checks one law, or every law.
  /// - Parameter law: The law; by default, every law is checked.
  /// - Throws: `LawViolation` for the first law that does not hold, `LawSettingsError` if the
  ///   environment is invalid.
  public func check(_ law: StorageLaw? = nil) throws {
    guard let law else { return try StorageLaw.allCases.forEach(check) }
    try runs.run(law: law.number, statement: law.statement) { random, step in
      var history = StorageHistory(Subject.self, imaging: law.comparesImages ? parts : nil)
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
    case .evictionsSpareWhatIsKept:
      try step.checkIndexes(&random)
      try step.checkEviction(&random)
    }
  }
}

/// A database and kept versions of it.
struct StorageHistory<Subject: LawSubject> {
  typealias Storage = Subject.Storage

  var storage = Subject.makeStorage()
  var kept: [Storage] = []
  /// The image of each kept version, taken while it was the current version. Images are taken only
  /// for laws that compare contents.
  private(set) var images: [StorageImage] = []
  private let parts: CheckedParts<Storage>?

  /// Creates a history.
  /// - Parameter parts: The parts that images show; `nil` for no images.
  init(_ subject: Subject.Type, imaging parts: CheckedParts<Storage>? = nil) {
    self.parts = parts
  }

  mutating func keep(_ random: inout SeededGenerator) {
    guard kept.isEmpty || random.oneIn(2) else { return }
    if kept.count == 4 {
      let index = random.number(in: 0..<4)
      kept.remove(at: index)
      if parts != nil { images.remove(at: index) }
    }
    kept.append(storage)
    if let parts { images.append(StorageImage(of: storage, parts)) }
  }

  /// Runs a batch of a few edits. A batch that is refused is also part of the history.
  mutating func advance(
    _ operations: StorageOperations<Storage>, _ random: inout SeededGenerator
  ) throws {
    // Sometimes an old version is continued, so that histories fork.
    if random.oneIn(12), let version = kept.randomElement(using: &random) { storage = version }
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
      // Law 8 checks the state after a refusal. Any other error is a failure.
      guard refused || error is BatchError else { throw error }
    }
  }
}

/// A database on which the laws are checked, and its random edits.
///
/// If edits use few IDs, such as 0 to 5, several edits often change the same row, which reveals
/// more bugs:
///
/// ```swift
/// struct Author: EntityType, Identifiable {
///   let id: Int
///   var name: String
/// }
///
/// struct Authors: NormalizedStorageType {
///   struct Contents: StorageContents {
///     var authors = Tables.Hash<Author>()
///     static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
///     where Visitor.Contents == Self { visitor.table("authors", \.authors) }
///   }
///   var snapshot = Snapshot(Contents())
/// }
///
/// enum AuthorsSubject: LawSubject {
///   static func edit(
///     _ context: inout BatchContext<Authors>, using random: inout SeededGenerator
///   ) throws {
///     let id = random.number(in: 0..<6)
///     if random.oneIn(3) {
///       context.modifying.authors.remove(.init(id))
///     } else {
///       context.modifying.authors.insert(Author(id: id, name: "\(random.number(in: 0..<3))"))
///     }
///   }
/// }
///
/// try StorageLaws(AuthorsSubject.self).check()   // in a test of any framework
/// ```
///
/// An edit must depend only on the random numbers and on its reads of the batch, because the laws
/// repeat edits.
public protocol LawSubject {
  /// The database.
  associatedtype Storage: NormalizedStorageType

  /// Creates the database with which every history starts.
  static func makeStorage() -> Storage

  /// Performs one small random edit. If it throws an error, the batch is refused, which is not a
  /// violation.
  static func edit(
    _ context: inout BatchContext<Storage>, using random: inout SeededGenerator) throws
}

extension LawSubject {
  /// Creates the storage with its own initializer.
  public static func makeStorage() -> Storage { Storage() }
}

/// The operations of a database that the laws use. A test may replace one with a defective
/// operation, to check that a law detects it.
package struct StorageOperations<Storage: NormalizedStorageType> {
  package typealias Body = (inout BatchContext<Storage>) throws -> Void

  package var perform: (inout Storage, Body) throws -> Void = { storage, body in
    // Selects the throwing form, which every storage has.
    func perform<Some: NormalizedStorageType>(
      _ storage: inout Some, _ body: (inout BatchContext<Some>) throws -> Void
    ) throws { try storage.performBatchUpdates(body) }
    try perform(&storage, body)
  }
  package var commit: (inout Storage, consuming BatchContext<Storage>) throws -> Void = {
    try $0.commitBatchUpdates($1)
  }
  package var changes: (_ new: Storage, _ old: Storage) -> Storage.ChangeSet = {
    $0.changes(since: $1)
  }
  package var differingKeys: (_ new: Storage, _ old: Storage) -> DifferingKeys = {
    DifferingKeys(from: $1.version, to: $0.version)
  }
  package var apply: (inout Storage, Storage.ChangeSet) throws -> Void = { try $0.apply($1) }
  package var inverted: (Storage.ChangeSet) -> Storage.ChangeSet = { $0.inverted }
  package var composed: (Storage.ChangeSet, Storage.ChangeSet) -> Storage.ChangeSet = {
    $0.composed(with: $1)
  }
  package var merge:
    (_ mine: Storage, _ theirs: Storage, _ base: Storage, MergeChoice) throws -> MergeResult<
      Storage
    > = { mine, theirs, base, choice in
      try mine.merging(theirs, base: base, by: ThreeWayMerge(otherwise: choice))
    }
  package var evict: (Storage, EvictionBudget, _ kept: [CollectionRoot]) -> EvictionPlan<Storage> =
    {
      $0.plan(evictingDownTo: $1, keeping: $2)
    }
  package var isEqual: (Storage, Storage) -> Bool = { $0 == $1 }
  package var verify: (Storage) -> [VerificationIssue] = { $0.verify() }

  package init() {}
}

extension StorageLaws where Subject.Storage: Codable {
  /// Checks that a database decoded from JSON has equal rows in the same order, equal links and
  /// consistent indexes. The database must also be encoded as the same bytes; the order of the
  /// bytes is not compared, because sets have no order. The code that `@Entity` generates must
  /// merge all members. If the entity has its own `Codable`, the generated code must write and read
  /// each row in the form of that `Codable`. Transient members are not encoded, so each decoded row
  /// gets the transient members of the encoded row before the two are compared.
  /// - Throws: `LawViolation` of law 5 if the check fails, `LawSettingsError` if the environment is
  ///   invalid.
  public func checkCoding() throws {
    let statement = "a database that was encoded and decoded is equal"
    try runs.run(law: 5, statement: statement) { random, step in
      var history = StorageHistory(Subject.self)
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      // JSON has no NaN.
      encoder.nonConformingFloatEncodingStrategy = .convertToString(
        positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
      let decoder = JSONDecoder()
      decoder.nonConformingFloatDecodingStrategy = .convertFromString(
        positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
      for index in 0..<runs.steps {
        step = index
        try history.advance(operations, &random)
        let data = try encoder.encode(history.storage)
        let decoded = try decoder.decode(Storage.self, from: data)
        let restored = restored(decoded, from: history.storage)
        try require(operations.isEqual(restored, history.storage), "the decoded one is not equal")
        let (found, expected) = (
          StorageImage(of: restored, parts), StorageImage(of: history.storage, parts)
        )
        try require(found.tables == expected.tables, "the decoded rows are in another order")
        try requireEqual(
          found.links.map { $0.mapValues(Set.init) }, expected.links.map { $0.mapValues(Set.init) },
          "the decoded links")
        let contents = decoded.snapshot.contents
        let rows = parts.tables.flatMap { $0.rows(contents) }
        let generated = GeneratedRow(encoder: encoder, decoder: decoder)
        for table in found.tables {
          for row in table { try generated.check(row.entity, beside: table.first?.entity) }
        }
        for index in parts.indexes {
          let mismatches = index.mismatches(contents, rows)
          try require(mismatches.isEmpty, "the decoded \(index.name): \(mismatches)")
        }
        try requireEqual(
          try encoder.encode(decoded).sorted(), data.sorted(), "the bytes of the second encoding")
      }
    }
  }

  /// Returns a decoded database with the transient members of the encoded database.
  private func restored(_ decoded: Storage, from storage: Storage) -> Storage {
    let source = storage.snapshot.contents
    var contents = decoded.snapshot.contents
    var isChanged = false
    for table in parts.tables {
      let rows = table.rows(contents)
      let restored = rows.map { row in
        table.find(source, row.key).map { row.restored(from: $0) } ?? row
      }
      if restored == rows { continue }
      table.refill(&contents, restored)
      isChanged = true
    }
    if !isChanged { return decoded }
    var result = decoded
    // Relationships and indexes may read transient members, so they are rebuilt from the restored
    // rows.
    result.snapshot = Snapshot(contents)
    return result
  }
}
