/// The rows that rejected batches inserted. Batches that were made later may depend on these rows.
package struct WithdrawnRows<Storage: NormalizedStorageType>: Sendable {
  /// The IDs of the rows, by entity type.
  fileprivate var ids: [ObjectIdentifier: any Sendable] = [:]

  /// Creates an empty collection.
  package init() {}

  /// Adds the rows that a rejected batch inserted.
  /// - Complexity: O(changes).
  package mutating func add(_ changes: StorageChangeSet<Storage>) {
    var collector = InsertedRowsCollector(changes: changes, rows: self)
    Storage.Contents.visitParts(&collector)
    self = collector.rows
  }

  func contains<Entity: EntityType>(_ id: EntityIdentifier<Entity>) -> Bool {
    (ids[ObjectIdentifier(Entity.self)] as? Set<EntityIdentifier<Entity>>)?.contains(id) == true
  }

  /// Checks a batch for withdrawn rows that a version lacks. The batch must not update or move such
  /// a row, or hold its ID. Holding the ID is allowed if the batch inserts the row. References are
  /// not checked here, because applying or merging the batch checks them.
  /// - Throws: `ChangeSetError` with each of these rows.
  /// - Complexity: O(changes), or O(1) if no rows are withdrawn.
  package func check(_ changes: StorageChangeSet<Storage>, on version: Storage) throws {
    if ids.isEmpty { return }
    var search = WithdrawnRowSearch(changes: changes, version: version.snapshot, rows: self)
    Storage.Contents.visitParts(&search)
    if !search.conflicts.isEmpty { throw ChangeSetError(conflicts: search.conflicts) }
  }
}

/// Collects the rows that a change set inserts.
private struct InsertedRowsCollector<Storage: NormalizedStorageType>: StorageVisitor {
  typealias Contents = Storage.Contents

  let changes: StorageChangeSet<Storage>
  var rows: WithdrawnRows<Storage>

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    typealias ID = Table.Entity.EntityID
    let inserted = changes.changes(of: Table.Entity.self).inserted
    if inserted.isEmpty { return }
    let table = ObjectIdentifier(Table.Entity.self)
    let known = rows.ids.removeValue(forKey: table) as? Set<ID> ?? []
    rows.ids[table] = known.union(inserted.lazy.map { $0.entityID })
  }
}

/// Finds the changes of a batch that need withdrawn rows.
private struct WithdrawnRowSearch<Storage: NormalizedStorageType>: HeldIDsVisitor {
  typealias Contents = Storage.Contents

  let changes: StorageChangeSet<Storage>
  let version: Snapshot<Contents>
  let rows: WithdrawnRows<Storage>
  var conflicts: [ChangeSetConflict] = []

  private func isMissing<Entity: EntityType>(_ id: EntityIdentifier<Entity>) -> Bool {
    rows.contains(id) && version.find(id) == nil
  }

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    let changes = changes.changes(of: Table.Entity.self)
    let updated = changes.updated.map { $0.entityID }
    let moved = changes.order.moved.map { $0.entityID }
    var seen: Set<Table.Entity.EntityID> = []
    for id in updated + moved where isMissing(id) && seen.insert(id).inserted {
      conflicts.append(ChangeSetConflict(entity: EntityLabel(id), reason: .missing))
    }
  }

  mutating func heldIDs<IDs: HeldIDs>(_ name: String, _ path: PartPath<Contents, IDs>) {
    guard let held = changes.heldIDs[name] as? HeldIDsChanges<IDs> else { return }
    let missing = held.inserted.filter(isMissing)
    if missing.isEmpty { return }
    // A batch may hold a row that it inserts.
    let inserted = Set(changes.changes(of: IDs.Entity.self).inserted.map { $0.entityID })
    for id in missing where !inserted.contains(id) {
      conflicts.append(
        ChangeSetConflict(entity: EntityLabel(id), reason: .heldWithoutEntity, part: name))
    }
  }
}
