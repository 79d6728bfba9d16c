public import EntiaCollections

extension Tables.Ordered {
  /// Removes the entity with an ID.
  /// - Returns: the removed entity, or `nil`.
  /// - Complexity: O(log *n*) expected; what an older version shares is copied, O(log *n*).
  @inlinable
  @discardableResult
  public mutating func remove(_ id: Entity.EntityID) -> Entity? { rows.remove(id) }

  /// Removes the entity at a position.
  /// - Returns: the removed entity.
  /// - Precondition: the position is at least 0 and less than `count`.
  /// - Complexity: O(log *n*); what an older version shares is copied, O(log *n*).
  @inlinable
  @discardableResult
  public mutating func remove(at position: Int) -> Entity { rows.remove(at: position) }

  /// Removes every entity.
  /// - Complexity: O(1) when an older version keeps them, else O(*n*) for releasing them.
  @inlinable
  public mutating func removeAll() { rows.removeAll() }
}
