import EntiaCollections

/// The rows that batches wrote since a version of a database. They include rows whose values the
/// batches did not change. The difference of two versions does not contain such rows.
///
/// The type is a value type. A batch copies the noted rows of the version on which it began, and
/// adds the rows that it writes.
package struct NotedRows: Sendable {
  private final class Origin: Sendable {}

  private let origin = Origin()
  /// The IDs that batches wrote, by entity type, including IDs whose rows were missing.
  private var ids: [ObjectIdentifier: any IDSet] = [:]
  /// The IDs of the rows that batches inserted, by entity type.
  private var insertedIDs: [ObjectIdentifier: any IDSet] = [:]
  /// The tables whose rows may all have been written.
  private var tables: Set<ObjectIdentifier> = []
  /// The tables in which batches have set the positions of rows.
  private var arrangedTables: Set<ObjectIdentifier> = []
  /// Whether all rows of the database may have been written.
  private var hasAll = false

  init() {}

  /// Returns whether this value and `other` result from one call of `notingWrites`.
  package func hasOrigin(of other: NotedRows?) -> Bool { origin === other?.origin }

  mutating func insert<Entity: EntityType>(_ id: EntityIdentifier<Entity>) {
    Self.insert(id, into: &ids)
  }

  mutating func insertInserted<Entity: EntityType>(_ id: EntityIdentifier<Entity>) {
    Self.insert(id, into: &insertedIDs)
  }

  private static func insert<Entity: EntityType>(
    _ id: EntityIdentifier<Entity>, into sets: inout [ObjectIdentifier: any IDSet]
  ) {
    let table = ObjectIdentifier(Entity.self)
    // Removed from the dictionary first, so that the set is changed in place instead of copied.
    var known = sets.removeValue(forKey: table) as? Set<EntityIdentifier<Entity>> ?? []
    known.insert(id)
    sets[table] = known
  }

  mutating func insertRows<Entity: EntityType>(of entity: Entity.Type) {
    tables.insert(ObjectIdentifier(entity))
  }

  mutating func insertOrder<Entity: EntityType>(of entity: Entity.Type) {
    arrangedTables.insert(ObjectIdentifier(entity))
  }

  mutating func insertAll() { hasAll = true }

  /// Returns the rows that this value or `other` contains.
  package func union(_ other: NotedRows) -> NotedRows {
    var result = self
    result.ids.merge(other.ids) { $0.adding($1) }
    result.insertedIDs.merge(other.insertedIDs) { $0.adding($1) }
    result.tables.formUnion(other.tables)
    result.arrangedTables.formUnion(other.arrangedTables)
    result.hasAll = hasAll || other.hasAll
    return result
  }

  /// Returns the IDs of the noted rows of an entity type, without the rows of tables that were
  /// noted as a whole.
  func ids<Entity: EntityType>(of entity: Entity.Type) -> Set<EntityIdentifier<Entity>> {
    ids[ObjectIdentifier(entity)] as? Set<EntityIdentifier<Entity>> ?? []
  }

  /// Returns the IDs of the rows of an entity type that batches inserted, including rows that a
  /// later batch removed.
  func insertedIDs<Entity: EntityType>(of entity: Entity.Type) -> Set<EntityIdentifier<Entity>> {
    insertedIDs[ObjectIdentifier(entity)] as? Set<EntityIdentifier<Entity>> ?? []
  }

  /// Returns whether changes of a table may affect a noted row. Also returns `true` if batches have
  /// set the positions of rows in the table, and the changes may affect the order of the table.
  func meet<Entity: EntityType>(_ changes: TableChanges<Entity>) -> Bool {
    if changes.isEmpty { return false }
    let table = ObjectIdentifier(Entity.self)
    if hasAll || tables.contains(table) { return true }
    if arrangedTables.contains(table), changes.changesOrder || !changes.removed.isEmpty {
      return true
    }
    guard let ids = ids[table] as? Set<EntityIdentifier<Entity>> else { return false }
    return changes.changedIDs.contains(where: ids.contains)
  }
}

/// A set of IDs of one entity type.
private protocol IDSet: Sendable {
  /// Returns the IDs of this set and of another set with the same entity type.
  func adding(_ other: any IDSet) -> any IDSet
}

extension Set: IDSet where Element: TableKey {
  fileprivate func adding(_ other: any IDSet) -> any IDSet { (other as? Set).map(union) ?? self }
}
