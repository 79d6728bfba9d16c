extension StorageChangeSet {
  /// The changes for a storage whose rows have the same encoded forms: each row keeps the transient
  /// members that it has there. Updates of transient members alone are left out.
  ///
  /// - Complexity: O(changes) in tables whose rows have transient members, otherwise O(1).
  package func keepingTransientMembers(of storage: Storage) -> StorageChangeSet {
    var adapter = TransientAdapter(contents: storage.snapshot.contents, changes: self)
    Storage.Contents.visitParts(&adapter)
    return adapter.changes
  }
}

private struct TransientAdapter<Storage: NormalizedStorageType>: StorageVisitor {
  typealias Contents = Storage.Contents

  let contents: Contents
  var changes: StorageChangeSet<Storage>

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    let type = ObjectIdentifier(Table.Entity.self)
    guard var rows = changes.tables[type] as? TableChanges<Table.Entity>,
      let first = rows.updated.first?.new ?? rows.removed.first, Self.hasTransientMembers(first)
    else { return }
    let table = contents[keyPath: path]
    let members = RowMembers<Table.Entity>()
    /// Returns the present row for an old one, if both have the same encoded form.
    func present(_ old: Table.Entity) -> Table.Entity? {
      guard let row = table.find(by: old.entityID), members.differing(row, old).isEmpty else {
        return nil
      }
      return row
    }
    rows.updated = rows.updated.compactMap { update in
      guard let present = present(update.old) else { return update }
      if members.differing(update.old, update.new).isEmpty { return nil }
      return EntityUpdate(old: present, new: members.restored(update.new, present))
    }
    rows.removed = rows.removed.map { present($0) ?? $0 }
    changes.tables[type] = rows.isEmpty ? nil : rows
  }

  private static func hasTransientMembers(_ row: Any) -> Bool {
    Mirror(reflecting: row).children.contains { $0.value is any AnyTransientMember }
  }
}
