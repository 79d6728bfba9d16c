import EntiaCoding
import EntiaDatabase

/// The difference between two databases: schema, rows and result, in a fixed order.
public struct DatabaseDifference: Equatable, Sendable {
  /// The different rows of one entity.
  public struct Table: Equatable, Sendable {
    /// The entity.
    public let entity: String
    /// The rows that only the new database has, sorted by ID.
    public internal(set) var inserted: [Record] = []
    /// The rows that only the old database has, sorted by ID.
    public internal(set) var removed: [Record] = []
    /// The rows that both databases have with different members, sorted by ID.
    public internal(set) var updated: [Update] = []
  }

  /// A row that both databases have, with different members.
  public struct Update: Hashable, Sendable {
    /// The ID of the row.
    public let id: RecordID
    /// The members that differ, sorted by the UTF-8 bytes of their names.
    public let fields: [Field]
  }

  /// A member whose value differs.
  public struct Field: Hashable, Sendable {
    /// The name of the member.
    public let name: String
    /// The old value, or nil if the old row has no such member.
    public let old: RecordValue?
    /// The new value, or nil if the new row has no such member.
    public let new: RecordValue?
  }

  /// The difference between the results of one entity.
  public struct Result: Hashable, Sendable {
    /// The entity.
    public let entity: String
    /// The IDs that only the new database lists, in its order.
    public let inserted: [RecordKey]
    /// The IDs that only the old database lists, in its order.
    public let removed: [RecordKey]
    /// Whether the IDs that both databases list have a different order.
    public let isReordered: Bool
  }

  /// The differences between the schemas, sorted by name.
  public let schema: [SchemaDifference]
  /// The entities whose rows differ, sorted by name.
  public let tables: [Table]
  /// The entities whose results differ, sorted by name.
  public let results: [Result]
  /// The written forms of rows, first by the new database's schema.
  let forms: ReferenceForms

  /// Whether the databases are equal.
  public var isEmpty: Bool { schema.isEmpty && tables.isEmpty && results.isEmpty }
}

extension RecordDatabase {
  /// Returns the difference between an older database and this one.
  ///
  /// - Returns: The difference, which is empty if and only if the databases are equal.
  /// - Complexity: O(rows), plus sorting of the differences.
  public func difference(from old: RecordDatabase) -> DatabaseDifference {
    let changes = storage.changes(since: old.storage).changes(of: Record.self)
    var tables: [ExactString: DatabaseDifference.Table] = [:]
    func change(_ id: RecordID, _ body: (inout DatabaseDifference.Table) -> Void) {
      body(&tables[ExactString(id.entity), default: DatabaseDifference.Table(entity: id.entity)])
    }
    for record in changes.inserted.sorted(byKey: \.id.key) {
      change(record.id) { $0.inserted.append(record) }
    }
    for record in changes.removed.sorted(byKey: \.id.key) {
      change(record.id) { $0.removed.append(record) }
    }
    for update in changes.updated.sorted(byKey: \.new.id.key) {
      change(update.new.id) { $0.updated.append(Self.update(update.old, update.new)) }
    }
    return DatabaseDifference(
      schema: schema.difference(from: old.schema),
      tables: tables.sorted { $0.key < $1.key }.map(\.value),
      results: resultDifference(from: old),
      forms: ReferenceForms(old.schema.entities + schema.entities))
  }

  private static func update(_ old: Record, _ new: Record) -> DatabaseDifference.Update {
    let fields = old.differences(to: new).map { name, old, new in
      DatabaseDifference.Field(name: name.string, old: old, new: new)
    }
    return DatabaseDifference.Update(id: new.id, fields: fields)
  }

  private func resultDifference(from old: RecordDatabase) -> [DatabaseDifference.Result] {
    let entities = Set(old.resultKeys.keys).union(resultKeys.keys).sorted()
    return entities.compactMap { entity in
      let (before, after) = (old.resultKeys[entity] ?? [], resultKeys[entity] ?? [])
      let (known, kept) = (Set(before), Set(after))
      let inserted = after.filter { !known.contains($0) }
      let removed = before.filter { !kept.contains($0) }
      let isReordered = before.filter(kept.contains) != after.filter(known.contains)
      if inserted.isEmpty, removed.isEmpty, !isReordered { return nil }
      return DatabaseDifference.Result(
        entity: entity.string, inserted: inserted, removed: removed, isReordered: isReordered)
    }
  }
}
