import EntiaCollections

// Roots of evictions in a store.
extension CollectionRoot {
  /// Returns a root of the rows whose IDs have one of the hashes given for their entity type.
  package static func rows(withHashes hashes: [ObjectIdentifier: Set<UInt64>]) -> Self {
    Self(mark: HashedRows(hashes: hashes))
  }

  /// Returns a root of the rows that an edit inserted or updated, and of the entities that these
  /// rows reference. If the edit began on a version that `notingWrites` returned, the root also
  /// includes the rows that the edit wrote without changing their values.
  ///
  /// - Parameters:
  ///   - edited: The version after the edit.
  ///   - start: The version before the edit, which is compared with `edited` to find the rows.
  package static func rows<Storage: NormalizedStorageType>(
    writtenIn edited: Storage, since start: Storage
  ) -> Self {
    rows(writtenBy: edited.changes(since: start), in: edited)
  }

  /// Returns a root of the rows that a change set writes, and of the entities that these rows
  /// reference.
  ///
  /// - Parameters:
  ///   - changes: The change set.
  ///   - storage: A version of the database, with or without the changes.
  package static func rows<Storage: NormalizedStorageType>(
    writtenBy changes: StorageChangeSet<Storage>, in storage: Storage
  ) -> Self {
    Self(mark: WrittenRows(changes: changes, storage: storage))
  }
}

private struct HashedRows: RootMark {
  let hashes: [ObjectIdentifier: Set<UInt64>]

  func mark<Contents: StorageContents>(in reach: Reachability<Contents>) {
    if hashes.isEmpty { return }
    var search = HashedRowSearch(reach: reach, hashes: hashes)
    Contents.visitParts(&search)
  }
}

private struct HashedRowSearch<Contents: StorageContents>: StorageVisitor {
  let reach: Reachability<Contents>
  let hashes: [ObjectIdentifier: Set<UInt64>]

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    guard let hashes = hashes[ObjectIdentifier(Table.Entity.self)] else { return }
    let rows = reach.rows(of: Table.Entity.self)
    for row in reach.snapshot.contents[keyPath: path]
    where hashes.contains(row.entityID.tableHash) {
      rows.add(CollectionOfOne(row.entityID))
    }
  }
}

private struct WrittenRows<Storage: NormalizedStorageType>: RootMark {
  let changes: StorageChangeSet<Storage>
  let storage: Storage

  func mark<Contents: StorageContents>(in reach: Reachability<Contents>) {
    guard let reach = reach as? Reachability<Storage.Contents> else { return }
    var search = WrittenRowSearch(reach: reach, changes: changes, storage: storage)
    Storage.Contents.visitParts(&search)
  }
}

private struct WrittenRowSearch<Storage: NormalizedStorageType>: StorageVisitor {
  typealias Contents = Storage.Contents

  let reach: Reachability<Contents>
  let changes: StorageChangeSet<Storage>
  let storage: Storage

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    reach.rows(of: Table.Entity.self).add(written(Table.Entity.self).map { $0.entityID })
  }

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {
    let holders = written(Relationship.Holder.self)
    if holders.isEmpty { return }
    storage.snapshot.withRelationship(at: path) { relationship in
      let targets = reach.rows(of: Relationship.Target.self)
      for holder in holders { targets.add(relationship.targetIDs(of: holder)) }
    }
  }

  private func written<Entity: EntityType>(_ entity: Entity.Type) -> [Entity] {
    let noted = storage.writtenRows?.ids(of: entity).compactMap { storage.row(of: $0) } ?? []
    return changes.changes(of: entity).written + noted
  }
}
