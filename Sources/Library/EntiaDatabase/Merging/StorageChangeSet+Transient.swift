import EntiaCoding
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
    rows.updated = rows.updated.compactMap { update in
      let pair = Self.adapted(update.old, update.new, to: table.find(by: update.old.entityID))
      return pair.map { EntityUpdate(old: $0.old, new: $0.new) }
    }
    rows.removed = rows.removed.map { row in
      Self.adapted(row, nil, to: table.find(by: row.entityID))?.old ?? row
    }
    changes.tables[type] = rows.isEmpty ? nil : rows
  }

  private static func hasTransientMembers(_ row: Any) -> Bool {
    Mirror(reflecting: row).children.contains { $0.value is any AnyTransientMember }
  }

  /// Returns an update of the present row, or `nil` if the encoded row is the same.
  private static func adapted<Row: EntityType>(
    _ old: Row, _ new: Row, to present: Row?
  ) -> (old: Row, new: Row)? {
    guard let pair = adapted(old, Row?.some(new), to: present) else { return nil }
    return pair.new.map { (pair.old, $0) }
  }

  /// Returns the present row for an old one, if both have the same encoded form, and the new row
  /// with its transient members. An update without a difference is `nil`.
  private static func adapted<Row: EntityType>(
    _ old: Row, _ new: Row?, to present: Row?
  ) -> (old: Row, new: Row?)? {
    func adapt<Coded: EntityType & Codable>(_ type: Coded.Type) throws -> (old: Row, new: Row?)? {
      let transients = TransientCopies()
      guard let present, let coded = present as? Coded,
        let shown = try transients.collect({ try MemberNode.members(of: coded) }),
        let before = try (old as? Coded).flatMap({ try MemberNode.members(of: $0) }),
        try haveSameMembers(shown, before)
      else { return (old, new) }
      guard let new else { return (present, nil) }
      guard let after = try (new as? Coded).flatMap({ try MemberNode.members(of: $0) }) else {
        return (old, new)
      }
      if try haveSameMembers(before, after) { return nil }
      let row = try transients.restore {
        try MemberSource.row(Coded.self, of: after)
      }
      return (present, row as? Row ?? new)
    }
    guard let type = Row.self as? any (EntityType & Codable).Type else { return (old, new) }
    do {
      return try adapt(type)
    } catch {
      // A row that cannot be coded is refused where it is sent, with the reason.
      return (old, new)
    }
  }

  private static func haveSameMembers(
    _ lhs: [String: MemberNode], _ rhs: [String: MemberNode]
  ) throws -> Bool {
    try lhs.count == rhs.count
      && lhs.allSatisfy { try MemberNode.haveSameValue($1, rhs[$0]) }
  }
}
