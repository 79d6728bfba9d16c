import EntiaCoding
import EntiaCollections
public import EntiaDatabase
import EntiaJSON

/// A database of rows of any entity, defined by a schema and JSON data. It is a value type.
///
/// All rows are in one table, and their references are one relationship over it. The database
/// therefore obeys the same laws as a storage with a table for each entity.
public struct RecordDatabase: Sendable {
  /// The entities, and the members that are relationships.
  public internal(set) var schema = Schema()
  /// The keys of the rows that imports found at the top level, in input order, by entity.
  var resultKeys: [ExactString: [RecordKey]] = [:]
  var storage = RecordStorage()

  /// Creates an empty database.
  public init() {}

  /// The number of rows of all entities.
  public var count: Int { storage.records.count }

  /// Whether the database has no rows.
  public var isEmpty: Bool { storage.records.isEmpty }

  /// Returns a row, or nil if it does not exist.
  ///
  /// - Complexity: O(1).
  public func record(_ id: RecordID) -> Record? { storage.records.find(by: Record.EntityID(id)) }

  /// All rows, in insertion order.
  ///
  /// - Complexity: O(rows). ``table`` is O(1).
  public var records: [Record] { storage.records.allEntities() }

  /// The table of all rows, for example to compare it with another version.
  public var table: Tables.Hash<Record> { storage.records }

  /// Returns the IDs of the rows that refer to a row. The row itself need not exist.
  ///
  /// - Complexity: O(rows that refer to it).
  public func holders(of id: RecordID) -> [RecordID] {
    storage.snapshot.contents.references.holderIDs(of: Record.EntityID(id)).map(\.raw)
  }

  /// The keys of the rows that imports found at the top level, in input order, by entity. The
  /// entities are sorted by name.
  public var result: [(entity: String, keys: [RecordKey])] {
    resultKeys.sorted { $0.key < $1.key }.map { ($0.key.string, $0.value) }
  }
}

extension RecordDatabase: Equatable {
  /// Returns whether two databases have the same schema, the same rows in any order, and the same
  /// result in the same order.
  public static func == (lhs: RecordDatabase, rhs: RecordDatabase) -> Bool {
    lhs.schema == rhs.schema && lhs.resultKeys == rhs.resultKeys
      && lhs.storage == rhs.storage
  }
}

extension RecordDatabase {
  /// Calls the closure with each row and the number of its entity. The entities are numbered in the
  /// order of their first rows.
  ///
  /// - Returns: The numbers of the entities, by name.
  /// - Complexity: O(rows).
  func forEachRow(_ body: (Record, _ entity: Int) -> Void) -> [ExactString: Int] {
    // The rows of an entity from one import share one `EntityName`, and mostly follow one another.
    // Few names are therefore compared as strings.
    var numbers: [ObjectIdentifier: Int] = [:]
    var numbersByName: [ExactString: Int] = [:]
    var (last, number) = (nil as EntityName?, 0)
    for record in table {
      let name = record.body.id.node.entity
      if name !== last {
        last = name
        if let known = numbers[ObjectIdentifier(name)] {
          number = known
        } else {
          number = numbersByName[ExactString(name.string), default: numbersByName.count]
          numbers[ObjectIdentifier(name)] = number
          numbersByName[ExactString(name.string)] = number
        }
      }
      body(record, number)
    }
    return numbersByName
  }

  /// Returns the number of rows of each entity that has rows, sorted by name.
  ///
  /// - Complexity: O(rows).
  func countsByEntity() -> [(entity: String, count: Int)] {
    var counts: [Int] = []
    let numbers = forEachRow { _, entity in
      if entity == counts.count { counts.append(0) }
      counts[entity] += 1
    }
    return numbers.sorted { $0.key < $1.key }.map { ($0.key.string, counts[$0.value]) }
  }
}

// Rows by the texts that users write.
extension RecordDatabase {
  /// Returns the rows of an entity for the texts of their IDs, in the order of the texts.
  func rows(_ entity: Schema.Entity, ids: [String]) throws(SelectionProblem) -> [Record] {
    var rows: [Record] = []
    var unknown: [String] = []
    for id in ids {
      if let row = record(entity, text: id) { rows.append(row) } else { unknown.append(id) }
    }
    if !unknown.isEmpty { throw .unknownIDs(unknown, entity: entity.name) }
    return rows
  }

  /// Returns the entity with a name.
  func knownEntity(_ name: String) throws(SelectionProblem) -> Schema.Entity {
    if let entity = schema.entity(name) { return entity }
    let suggestion = Suggestion.nearest(to: name, among: schema.entities.map(\.name))
    throw .unknownEntity(name, suggestion: suggestion)
  }

  /// Returns the row whose ID, a number or a string, has this text. The IDs of two rows of an
  /// entity never have the same text.
  func record(_ entity: Schema.Entity, text: String) -> Record? {
    let key = RecordKey.string(text)
    if let row = record(RecordID(entity: entity.name, key: key)) { return row }
    return key.otherType.flatMap { record(RecordID(entity: entity.name, key: $0)) }
  }

  /// Returns the rows of an entity: those of the result in its order, then the others sorted by ID.
  func resultFirst(_ entity: String) -> [Record] {
    let keys = resultKeys[ExactString(entity)] ?? []
    let named = Set(keys)
    let others = records.filter { $0.id.entity.isExactly(entity) && !named.contains($0.id.key) }
    return keys.compactMap { record(RecordID(entity: entity, key: $0)) } + Self.sorted(others)
  }
}

extension RecordDatabase {
  /// Creates a database of rows.
  ///
  /// - Parameters:
  ///   - schema: The entities of the rows.
  ///   - rows: The rows, with distinct IDs.
  /// - Complexity: O(rows).
  package init(_ schema: Schema, rows: [Record]) {
    self.schema = schema
    storage.fill(rows, defersLinks: false)
  }
}

/// The rows of all entities as one table, and their references as one relationship over it.
///
/// The schema is data, so the entities have no table types of their own. In all other respects,
/// this type is like a declared storage, and obeys the same laws.
struct RecordStorage: NormalizedStorageType {
  struct Contents: StorageContents {
    var records = Tables.Hash<Record>()
    var references = RecordReferences()

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("records", \.records)
      visitor.relationship("references", \.references)
    }
  }

  // A storage with relationships declares that it may refuse changes, even if its current rules
  // never do.
  typealias Refusal = any Error

  var snapshot = Snapshot(Contents())
  var records: Tables.Hash<Record> { snapshot.contents.records }
}

extension RecordStorage {
  /// Inserts rows in one batch, and replaces the rows with the same IDs.
  ///
  /// - Parameter defersLinks: Whether a new database builds the index from rows to their holders
  ///   only when a row changes.
  /// - Throws: The violated rule of the storage. The rows are then unchanged.
  mutating func write(_ records: [Record], defersLinks: Bool = false) throws {
    if self.records.isEmpty { return fill(records, defersLinks: defersLinks) }
    try performBatchUpdates { context in
      for record in records { context.modifying.records.insert(record) }
    }
  }

  /// Creates the first version from rows with distinct IDs. No rule can refuse them, so the checks
  /// of a batch are skipped.
  mutating func fill(_ records: [Record], defersLinks: Bool) {
    var contents = snapshot.contents
    contents.records = Tables.Hash(records)
    if defersLinks {
      contents.references.deferLinks(of: contents.records)
    } else {
      contents.references.removeAllLinks()
      for record in records { contents.references.holderChanged(from: nil, to: record) }
    }
    snapshot = Snapshot(unchecked: contents)
  }

  /// Returns descriptions of the defects of the table and of both directions of the relationship.
  /// Dangling references are excluded, because `verifyProblems(file:)` reports them with their
  /// members.
  func defects() -> [String] {
    verify().filter {
      if case .danglingReference = $0 { false } else { true }
    }.map(\.description)
  }
}
