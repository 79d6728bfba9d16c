public import EntiaDatabase

/// A database of rows of any entity, as a schema and JSON give them: a plain value.
///
/// All rows are in one table, and what they name is one relationship over it, so that it obeys the
/// same laws as a storage with a table for each entity.
public struct RecordDatabase: Sendable {
  /// The entities, and which members are relationships.
  public internal(set) var schema = Schema()
  /// The rows that imports found at the top level, in the order of the inputs, by entity.
  var resultKeys: [ExactString: [RecordKey]] = [:]
  var storage = RecordStorage()

  /// Makes a database without rows.
  public init() {}

  /// How many rows there are, of all entities.
  public var count: Int { storage.records.count }

  /// Says whether there is no row.
  public var isEmpty: Bool { storage.records.isEmpty }

  /// Gives a row; nil if there is none.
  ///
  /// - Complexity: O(1).
  public func record(_ id: RecordID) -> Record? { storage.records.find(by: Record.EntityID(id)) }

  /// All rows, in the order they were inserted.
  ///
  /// - Complexity: O(rows); the table itself, which is O(1), is ``table``.
  public var records: [Record] { storage.records.allEntities() }

  /// The rows as the table that they are in, to compare with another version, for example.
  public var table: Tables.Hash<Record> { storage.records }

  /// Gives the rows that name a row, which need not exist itself.
  ///
  /// - Complexity: O(rows that name it).
  public func holders(of id: RecordID) -> [RecordID] {
    storage.snapshot.contents.references.holderIDs(of: Record.EntityID(id)).map(\.raw)
  }

  /// The rows that imports found at the top level, in the order of the inputs; by entity, sorted by
  /// name.
  public var result: [(entity: String, keys: [RecordKey])] {
    resultKeys.sorted { $0.key < $1.key }.map { ($0.key.string, $0.value) }
  }
}

extension RecordDatabase: Equatable {
  /// Says whether two databases have the same schema, the same rows in any order, and the same result
  /// in the same order.
  public static func == (left: RecordDatabase, right: RecordDatabase) -> Bool {
    left.schema == right.schema && left.resultKeys == right.resultKeys
      && left.storage == right.storage
  }
}
