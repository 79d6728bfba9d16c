import EntiaCollections

/// The entity types that have transient members. Only the first row of a type is inspected, because
/// the inspection of each row would take longer than applying its change.
package struct TransientTypes: Sendable {
  private var hasMembers: [ObjectIdentifier: Bool] = [:]

  /// Creates an empty record.
  package init() {}

  /// Whether all of `types` have been inspected, and none of them has transient members.
  fileprivate func containsNone(of types: some Sequence<ObjectIdentifier>) -> Bool {
    types.allSatisfy { hasMembers[$0] == false }
  }

  fileprivate mutating func contains<Entity: EntityType>(typeOf row: Entity) -> Bool {
    let type = ObjectIdentifier(Entity.self)
    if let known = hasMembers[type] { return known }
    let found = Mirror(reflecting: row).children.contains { $0.value is any AnyTransientMember }
    hasMembers[type] = found
    return found
  }
}

extension StorageChangeSet {
  /// Returns these changes, with the transient members that the rows have in `storage`. A row is
  /// adapted only if its old or its new value has the same encoded form as the row in `storage`. An
  /// adapted update is left out if it changes only transient members.
  ///
  /// - Parameters:
  ///   - storage: The storage.
  ///   - types: The entity types that earlier calls inspected. This call adds to them.
  /// - Complexity: O(changes) in tables whose rows have transient members, otherwise O(1).
  package func keepingTransientMembers(
    of storage: Storage, types: inout TransientTypes
  ) -> StorageChangeSet {
    if types.containsNone(of: tables.keys) { return self }
    var adapter = TransientAdapter(
      contents: storage.snapshot.contents, changes: self, types: types)
    Storage.Contents.visitParts(&adapter)
    types = adapter.types
    return adapter.changes
  }
}

extension StorageChangeSet {
  /// Returns these changes, adapted so that transient members alone cause no conflict with
  /// `storage`. An update that changes only transient members is left out if `storage` lacks the
  /// row. A removed row that differs from the row in `storage` only in transient members is
  /// replaced by that row.
  ///
  /// - Parameters:
  ///   - storage: The storage.
  ///   - types: The entity types that earlier calls inspected. This call adds to them.
  /// - Returns: The changes, or `nil` if there are no such conflicts.
  /// - Complexity: O(changes) in tables whose rows have transient members, otherwise O(1).
  package func withoutTransientConflicts(
    in storage: Storage, types: inout TransientTypes
  ) -> StorageChangeSet? {
    if types.containsNone(of: tables.keys) { return nil }
    var search = TransientConflicts(
      contents: storage.snapshot.contents, changes: self, types: types)
    Storage.Contents.visitParts(&search)
    types = search.types
    return search.hasConflicts ? search.changes : nil
  }
}

private struct TransientConflicts<Storage: NormalizedStorageType>: StorageVisitor {
  typealias Contents = Storage.Contents

  let contents: Contents
  var changes: StorageChangeSet<Storage>
  var types: TransientTypes
  var hasConflicts = false

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    let type = ObjectIdentifier(Table.Entity.self)
    guard var rows = changes.tables[type] as? TableChanges<Table.Entity>,
      let first = rows.updated.first?.new ?? rows.removed.first, types.contains(typeOf: first)
    else { return }
    let table = contents[keyPath: path]
    let members = RowMembers<Table.Entity>()
    let count = rows.updated.count
    rows.updated.removeAll { update in
      table.find(by: update.entityID) == nil
        && members.differing(update.old, update.new).isEmpty
    }
    var isAdapted = rows.updated.count < count
    rows.removed = rows.removed.map { removed in
      guard let present = table.find(by: removed.entityID),
        !haveSameValue(present, removed), members.differing(present, removed).isEmpty
      else { return removed }
      isAdapted = true
      return present
    }
    if !isAdapted { return }
    hasConflicts = true
    changes.tables[type] = rows.isEmpty ? nil : rows
  }
}

private struct TransientAdapter<Storage: NormalizedStorageType>: StorageVisitor {
  typealias Contents = Storage.Contents

  let contents: Contents
  var changes: StorageChangeSet<Storage>
  var types: TransientTypes

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    let type = ObjectIdentifier(Table.Entity.self)
    guard var rows = changes.tables[type] as? TableChanges<Table.Entity>,
      let first = rows.updated.first?.new ?? rows.removed.first ?? rows.inserted.first,
      types.contains(typeOf: first)
    else { return }
    let table = contents[keyPath: path]
    let members = RowMembers<Table.Entity>()
    /// Returns the storage's row with the ID of another row, if both have the same encoded form.
    func present(_ other: Table.Entity) -> Table.Entity? {
      guard let row = table.find(by: other.entityID), members.differing(row, other).isEmpty else {
        return nil
      }
      return row
    }
    rows.updated = rows.updated.compactMap { update in
      if let present = present(update.old) {
        if members.differing(update.old, update.new).isEmpty { return nil }
        return EntityUpdate(old: present, new: members.restored(update.new, present))
      }
      // The row may already have its new value.
      return EntityUpdate(old: update.old, new: present(update.new) ?? update.new)
    }
    rows.inserted = rows.inserted.map { present($0) ?? $0 }
    rows.removed = rows.removed.map { present($0) ?? $0 }
    changes.tables[type] = rows.isEmpty ? nil : rows
  }
}
