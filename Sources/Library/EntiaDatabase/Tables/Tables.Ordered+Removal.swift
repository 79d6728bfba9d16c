public import EntiaCollections

extension Tables.Ordered {
  /// Removes the entity with an ID.
  /// - Returns: The removed entity, or `nil` when no entity has the ID.
  /// - Complexity: O(log *n*) expected, including the copy of a path that an older version
  ///   shares.
  @inlinable
  @discardableResult
  public mutating func remove(_ id: Entity.EntityID) -> Entity? { rows.remove(id) }

  /// Removes the entity at a position.
  /// - Returns: The removed entity, or `nil` when the position is out of bounds.
  /// - Complexity: O(log *n*), including the copy of a path that an older version shares.
  @inlinable
  @discardableResult
  public mutating func remove(at position: Int) -> Entity? {
    positions.contains(position) ? rows.remove(at: position) : nil
  }

  /// Removes every entity.
  /// - Complexity: O(1) when an older version retains the entities, otherwise O(*n*) to release
  ///   them.
  @inlinable
  public mutating func removeAll() { rows.removeAll() }
}
