import EntiaCollections

extension Snapshot {
  /// The table of an entity type, or `nil` when the database has none.
  @inlinable
  @inline(__always)
  func table<Entity: EntityType>(of entity: Entity.Type) -> Tables.Hash<Entity>? {
    var search = TableSearch<Contents, Entity>(snapshot: self)
    Contents.visitParts(&search)
    return search.result
  }
}

@frozen
@usableFromInline
struct TableSearch<Contents: StorageContents, Wanted: EntityType>: StorageVisitor {
  @usableFromInline let snapshot: Snapshot<Contents>
  @usableFromInline var result: Tables.Hash<Wanted>?

  @inlinable
  init(snapshot: Snapshot<Contents>) { self.snapshot = snapshot }

  @inlinable
  @inline(__always)
  mutating func table<Entity: EntityType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Tables.Hash<Entity>> & Sendable
  ) {
    guard Entity.self == Wanted.self else { return }
    result = recast(snapshot.box.contents[keyPath: path], as: Tables.Hash<Wanted>.self)
  }
}
