import EntiaCollections

// Roots of evictions in a store.
extension CollectionRoot {
  /// Returns a root of the rows whose IDs have one of the hashes given for their entity type.
  package static func rows(withHashes hashes: [ObjectIdentifier: Set<UInt64>]) -> Self {
    Self(mark: HashedRows(hashes: hashes))
  }

  /// Returns a root of the rows that an edit inserted or updated, and of the entities that these
  /// rows reference.
  ///
  /// - Parameters:
  ///   - edited: The version after the edit.
  ///   - start: The version before the edit, which is compared with `edited` to find the rows.
  package static func rows<Storage: NormalizedStorageType>(
    writtenIn edited: Storage, since start: Storage
  ) -> Self {
    rows(writtenBy: edited.changes(since: start), in: edited)
  }

  /// Returns a root of the rows that changes write, and of the entities that these rows reference.
  ///
  /// - Parameters:
  ///   - changes: The changes.
  ///   - storage: A version of the database, with or without the changes.
  package static func rows<Storage: NormalizedStorageType>(
    writtenBy changes: StorageChangeSet<Storage>, in storage: Storage
  ) -> Self {
    Self(mark: WrittenRows(changes: changes, storage: storage))
  }

  /// Returns a root of the rows that batches noted in a version of `notingWrites`, and of the
  /// entities that these rows reference. It includes rows that already had their new values.
  package static func rows<Storage: NormalizedStorageType>(notedIn storage: Storage) -> Self {
    Self(mark: NotedRowsMark(storage: storage))
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

private struct NotedRowsMark<Storage: NormalizedStorageType>: RootMark {
  let storage: Storage

  func mark<Contents: StorageContents>(in reach: Reachability<Contents>) {
    guard let reach = reach as? Reachability<Storage.Contents>, let noted = storage.writtenRows
    else { return }
    var search = NotedRowSearch(reach: reach, noted: noted, storage: storage)
    Storage.Contents.visitParts(&search)
  }
}

private struct NotedRowSearch<Storage: NormalizedStorageType>: StorageVisitor {
  typealias Contents = Storage.Contents

  let reach: Reachability<Contents>
  let noted: NotedRows
  let storage: Storage

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    reach.rows(of: Table.Entity.self).add(noted.ids(of: Table.Entity.self))
  }

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {
    let holders = noted.ids(of: Relationship.Holder.self).compactMap { storage.row(of: $0) }
    if holders.isEmpty { return }
    storage.snapshot.withRelationship(at: path) { relationship in
      let targets = reach.rows(of: Relationship.Target.self)
      for holder in holders { targets.add(relationship.targetIDs(of: holder)) }
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
    let written = changes.changes(of: Table.Entity.self).written
    reach.rows(of: Table.Entity.self).add(written.map(\.entityID))
  }

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {
    let holders = changes.changes(of: Relationship.Holder.self).written
    if holders.isEmpty { return }
    storage.snapshot.withRelationship(at: path) { relationship in
      let targets = reach.rows(of: Relationship.Target.self)
      for holder in holders { targets.add(relationship.targetIDs(of: holder)) }
    }
  }
}
