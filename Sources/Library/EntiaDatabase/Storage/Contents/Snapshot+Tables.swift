import EntiaCollections

extension Snapshot {
  /// Calls the closure with the address of the table of an entity type, or with `nil` when the
  /// database has none.
  @inlinable
  @inline(__always)
  func withTable<Entity: EntityType, Result>(
    of entity: Entity.Type,
    _ body: (TablePointer<Entity>?) -> Result
  ) -> Result {
    defer { withExtendedLifetime(box) {} }
    return body(tablePointer(of: entity))
  }

  /// Returns the address of the table of an entity type, or `nil` when the database has none.
  @inlinable
  @inline(__always)
  func tablePointer<Entity: EntityType>(of entity: Entity.Type) -> TablePointer<Entity>? {
    var search = TableOffsetSearch<Contents, Entity>(
      contents: UnsafeMutableRawPointer(box.address), offsets: box.layout.tables)
    Contents.visitParts(&search)
    return search.result
  }

  /// Returns the address of the table of an entity type, which the database must have.
  @inlinable
  @inline(__always)
  func requiredTablePointer<Entity: EntityType>(of entity: Entity.Type) -> TablePointer<Entity> {
    guard let table = tablePointer(of: entity) else { Contents.missingTable(of: entity) }
    return table
  }

  /// Returns the entity with an ID, or `nil` when no entity has the ID. The database must have a
  /// table of its type.
  @inlinable
  @inline(__always)
  func find<Entity: EntityType>(_ id: EntityIdentifier<Entity>) -> Entity? {
    defer { withExtendedLifetime(box) {} }
    return requiredTablePointer(of: Entity.self).find(by: id)
  }

  /// Returns the address of the entity with an ID, or `nil` when no entity has the ID. The
  /// address is valid while this version is retained. The database must have a table of its type.
  @inlinable
  @inline(__always)
  func row<Entity: EntityType>(of id: EntityIdentifier<Entity>) -> UnsafePointer<Entity>? {
    defer { withExtendedLifetime(box) {} }
    return requiredTablePointer(of: Entity.self).row(of: id)
  }

  /// Returns the IDs without those of missing entities.
  @inlinable
  func present<Entity: EntityType>(
    _ ids: [EntityIdentifier<Entity>]
  ) -> [EntityIdentifier<Entity>] {
    withTable(of: Entity.self) { table in
      guard let table else { return [] }
      // Usually no entity is missing, and nothing is copied.
      return ids.allSatisfy(table.contains) ? ids : ids.filter(table.contains)
    }
  }

  /// Returns a copy of the table of an entity type, or `nil` when the database has none.
  func table<Entity: EntityType>(of entity: Entity.Type) -> AnyTable<Entity>? {
    withTable(of: entity) { $0?.copy }
  }

  /// Returns the address of a relationship, or `nil` when the path does not lead to a stored
  /// property.
  // Inlined, so that the compiler reduces a literal key path to an offset.
  @inlinable
  @inline(__always)
  func address<Relationship: RelationshipType>(
    of path: KeyPath<Contents, Relationship>
  ) -> UnsafePointer<Relationship>? {
    UnsafePointer(box.address).pointer(to: path)
  }

  /// Returns the byte offset of a relationship in the contents, or -1 when the path does not lead
  /// to a stored property.
  func offset<Relationship: RelationshipType>(of path: KeyPath<Contents, Relationship>) -> Int {
    MemoryLayout<Contents>.offset(of: path) ?? -1
  }

  /// Returns the IDs of the entities that reference the target.
  @inlinable
  func holderIDs<Relationship: RelationshipType>(
    of target: Relationship.Target.EntityID, address: UnsafePointer<Relationship>
  ) -> [Relationship.Holder.EntityID] {
    typealias One = ToOne<Relationship.Holder, Relationship.Target>
    defer { withExtendedLifetime(box) {} }
    if Relationship.self == One.self {
      let one = UnsafeRawPointer(address).assumingMemoryBound(to: One.self)
      if let links = one.pointer(to: \.links) { return LinkMap.holders(of: target, in: links) }
    }
    return address.pointee.holderIDs(of: target)
  }

  /// Calls the closure with a relationship, read in place; a path that does not lead to a stored
  /// property is read as a key path.
  @inlinable
  @inline(__always)
  func withRelationship<Relationship: RelationshipType, Result>(
    at path: KeyPath<Contents, Relationship>, _ body: (Relationship) -> Result
  ) -> Result {
    defer { withExtendedLifetime(box) {} }
    guard let address = UnsafePointer(box.address).pointer(to: path) else {
      return body(box.address.pointee[keyPath: path])
    }
    return body(address.pointee)
  }
}
