extension StorageContents {
  /// Stops with a message when a hand-written storage lists two tables of one entity type or two
  /// parts of one name: rows would go to the wrong one. No data can cause this, and the first
  /// database made shows it.
  static func requireDistinctParts() {
    var check = DistinctParts<Self>()
    visitParts(&check)
  }
}

private struct DistinctParts<Contents: StorageContents>: StorageVisitor {
  var entities: [ObjectIdentifier: String] = [:]
  var names: Set<String> = []

  mutating func table<Table: TableType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Table> & Sendable
  ) {
    note(name)
    let other = entities.updateValue(name, forKey: ObjectIdentifier(Table.Entity.self))
    precondition(
      other == nil,
      "\(Contents.self) has two tables of \(Table.Entity.entityName): \(other ?? "") and \(name)")
  }

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Relationship> & Sendable
  ) { note(name) }

  mutating func index<Index: IndexType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Index> & Sendable
  ) { note(name) }

  private mutating func note(_ name: String) {
    precondition(names.insert(name).inserted, "\(Contents.self) has two parts named \(name)")
  }
}
