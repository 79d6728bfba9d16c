public import EntiaCollections

extension TableType {
  /// Inserts entities, or replaces those with their IDs where they stand.
  /// - Returns: what that did for each, in order.
  /// - Complexity: O(*k*) expected in the number of entities; O(*k* · log *n*) in an ordered table.
  @inlinable
  @discardableResult
  public mutating func insert(_ entities: some Sequence<Entity>) -> [InsertionResult<Entity>] {
    entities.map { insert($0) }
  }

  /// Changes every entity that the predicate accepts; one whose ID the closure changes is left as
  /// it was.
  /// - Returns: the entities that are different now, in the table's order.
  /// - Throws: what the closures throw; the table is then as it was.
  /// - Complexity: O(*n*).
  @inlinable
  @discardableResult
  public mutating func update(
    where predicate: (Entity) throws -> Bool, _ body: (inout Entity) throws -> Void
  ) rethrows -> [Entity] {
    var updated: [Entity] = []
    for entity in self where try predicate(entity) {
      var changed = entity
      try body(&changed)
      if !haveSameValue(changed, entity), changed.entityID == entity.entityID {
        updated.append(changed)
      }
    }
    for entity in updated { replace(entity) }
    return updated
  }

  /// Removes the entities with the IDs.
  /// - Returns: the removed entities, in the order of the IDs.
  /// - Complexity: O(*k*) expected in the number of IDs; O(*k* · log *n*) in an ordered table.
  @inlinable
  @discardableResult
  public mutating func remove(_ ids: some Sequence<Entity.EntityID>) -> [Entity] {
    ids.compactMap { remove($0) }
  }

  /// Removes every entity that the predicate accepts.
  /// - Returns: the removed entities, in the table's order.
  /// - Throws: what the predicate throws; the table is then as it was.
  /// - Complexity: O(*n*), and O(log *n*) in an ordered table for each that is removed.
  @inlinable
  @discardableResult
  public mutating func remove(where predicate: (Entity) throws -> Bool) rethrows -> [Entity] {
    let removed = try filter(predicate)
    for entity in removed { remove(entity.entityID) }
    return removed
  }
}
