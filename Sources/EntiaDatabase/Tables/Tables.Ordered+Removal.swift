public import EntiaCollections

extension Tables.Ordered {
  /// Removes the entity with an ID.
  /// - Returns: the removed entity, or `nil`.
  /// - Complexity: O(log *n*) expected; what an older version shares is copied, O(log *n*).
  @inlinable
  @discardableResult
  public mutating func remove(_ id: Entity.EntityID) -> Entity? { rows.remove(id) }

  /// Removes the entity at a position.
  /// - Returns: The removed entity, or `nil` when there is no such position.
  /// - Complexity: O(log *n*); what an older version shares is copied, O(log *n*).
  @inlinable
  @discardableResult
  public mutating func remove(at position: Int) -> Entity? {
    positions.contains(position) ? rows.remove(at: position) : nil
  }

  /// Removes every entity.
  /// - Complexity: O(1) when an older version keeps them, else O(*n*) for releasing them.
  @inlinable
  public mutating func removeAll() { rows.removeAll() }
}
