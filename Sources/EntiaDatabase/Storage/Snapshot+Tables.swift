import EntiaCollections

extension Snapshot {
  /// Reads the table of an entity type in its place, or is given `nil` when the database has none.
  @inlinable
  @inline(__always)
  func withTable<Entity: EntityType, Result>(
    of entity: Entity.Type,
    _ body: (TablePointer<Entity>?) -> Result
  ) -> Result {
    defer { withExtendedLifetime(box) {} }
    return body(box.place.table(of: entity))
  }

  /// Returns the entity with an ID, or `nil`.
  @inlinable
  @inline(__always)
  func find<Entity: EntityType>(_ id: EntityIdentifier<Entity>) -> Entity? {
    defer { withExtendedLifetime(box) {} }
    return box.place.table(of: Entity.self)?.find(by: id)
  }

  /// A copy of the table of an entity type, or `nil` when the database has none.
  func table<Entity: EntityType>(of entity: Entity.Type) -> AnyTable<Entity>? {
    withTable(of: entity) { $0?.copy }
  }

  /// Reads a relationship in its place; a path that leads to no stored property is followed.
  @inlinable
  @inline(__always)
  func withRelationship<Relationship: RelationshipType, Result>(
    at path: KeyPath<Contents, Relationship>, _ body: (Relationship) -> Result
  ) -> Result {
    defer { withExtendedLifetime(box) {} }
    guard let place = UnsafePointer(box.place).pointer(to: path) else {
      return body(box.place.pointee[keyPath: path])
    }
    return body(place.pointee)
  }
}
