public import EntiaCollections

extension Indexes.Sorted {
  /// The first ID, or `nil` when no entity is indexed.
  /// - Complexity: O(1).
  @inlinable
  public var first: Entity.EntityID? { tree.first?.id }

  /// The last ID, or `nil` when no entity is indexed.
  /// - Complexity: O(log *n*).
  @inlinable
  public var last: Entity.EntityID? { tree.last?.id }

  /// Accesses the ID at a position, or `nil` when the position is out of bounds.
  /// - Complexity: O(log *n*).
  @inlinable
  public subscript(position: Int) -> Entity.EntityID? { tree.nth(position)?.id }

  /// Returns the position of an entity, or `nil` when it is not indexed with its current key.
  /// - Complexity: O(log *n*).
  @inlinable
  public func rank(of entity: Entity) -> Int? {
    keyReader.key(of: entity).flatMap { tree.rank(of: SortedEntry(key: $0, id: entity.entityID)) }
  }

  /// Returns the number of entities whose keys precede a key.
  /// - Complexity: O(log *n*).
  @inlinable
  public func rank(of key: Key) -> Int { tree.countBelow(key) }
}

extension NormalizedStorageType {
  /// Returns the position of an entity in the order of an index, or `nil` when it is not indexed.
  ///
  /// ```swift
  /// library.rank(of: "b1", in: \.booksByYear)
  /// ```
  ///
  /// - Complexity: O(log *n*).
  public func rank<Entity: EntityType, Key>(
    of id: Entity.EntityID, in index: KeyPath<Contents, Indexes.Sorted<Entity, Key>>
  ) -> Int? {
    guard let entity = snapshot.withTable(of: Entity.self, { $0?.find(by: id) }) else { return nil }
    return snapshot.contents[keyPath: index].rank(of: entity)
  }
}
