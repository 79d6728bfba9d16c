public import EntiaCollections

extension Tables.Ordered {
  /// Removes the entity with an ID.
  /// - Returns: the removed entity, or `nil`.
  /// - Complexity: O(log *n*) expected; what an older version shares is copied, O(log *n*).
  @inlinable
  @discardableResult
  public mutating func remove(_ id: Entity.EntityID) -> Entity? { rows.remove(id) }

  /// Removes the entities with the IDs.
  /// - Returns: the removed entities, in the order of the IDs.
  /// - Complexity: O(*k* · log *n*) expected in the number of IDs.
  @inlinable
  @discardableResult
  public mutating func remove(_ ids: some Sequence<Entity.EntityID>) -> [Entity] {
    ids.compactMap { rows.remove($0) }
  }

  /// Removes the entity at a position.
  /// - Returns: the removed entity.
  /// - Precondition: the position is at least 0 and less than `count`.
  /// - Complexity: O(log *n*); what an older version shares is copied, O(log *n*).
  @inlinable
  @discardableResult
  public mutating func remove(at position: Int) -> Entity { rows.remove(at: position) }

  /// Removes every entity that the predicate accepts.
  /// - Returns: the removed entities, in order.
  /// - Throws: what the predicate throws; the table is then as it was.
  /// - Complexity: O(*n*), and O(log *n*) for each that is removed.
  @inlinable
  @discardableResult
  public mutating func remove(where predicate: (Entity) throws -> Bool) rethrows -> [Entity] {
    let removed = try rows.filter(predicate)
    for entity in removed { rows.remove(entity.entityID) }
    return removed
  }

  /// Removes every entity.
  /// - Complexity: O(1) when an older version keeps them, else O(*n*) for releasing them.
  @inlinable
  public mutating func removeAll() { rows.removeAll() }
}
