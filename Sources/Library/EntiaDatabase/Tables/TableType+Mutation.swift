public import EntiaCollections

extension TableType {
  /// Inserts entities, or replaces those with their IDs in place.
  /// - Returns: The outcome for each, in order.
  /// - Complexity: O(*k*) expected in the number of entities; O(*k* · log *n*) in an ordered table.
  @inlinable
  @discardableResult
  public mutating func insert(_ entities: some Sequence<Entity>) -> [InsertionResult<Entity>] {
    entities.map { insert($0) }
  }

  /// Changes every entity that the predicate accepts. An entity whose ID the closure changes
  /// stays as it was.
  /// - Returns: The entities that differ now, in the table's order.
  /// - Throws: The error that a closure throws; the table is then unchanged.
  /// - Complexity: O(*n*).
  @inlinable
  @discardableResult
  public mutating func update(
    where predicate: (Entity) throws -> Bool, _ body: (inout Entity) throws -> Void
  ) rethrows -> [Entity] {
    var updated: [Entity] = []
    var equal: [Entity] = []
    for entity in self where try predicate(entity) {
      var changed = entity
      try body(&changed)
      if haveSameValue(changed, entity) {
        if Entity.hasTransientMembers { equal.append(changed) }
      } else if changed.entityID == entity.entityID {
        updated.append(changed)
      }
    }
    for entity in equal { replace(entity) }
    for entity in updated { replace(entity) }
    return updated
  }

  /// Removes the entities with the IDs.
  /// - Returns: The removed entities, in the order of the IDs.
  /// - Complexity: O(*k*) expected in the number of IDs; O(*k* · log *n*) in an ordered table.
  @inlinable
  @discardableResult
  public mutating func remove(_ ids: some Sequence<Entity.EntityID>) -> [Entity] {
    ids.compactMap { remove($0) }
  }

  /// Removes every entity that the predicate accepts.
  /// - Returns: The removed entities, in the table's order.
  /// - Throws: The error that the predicate throws; the table is then unchanged.
  /// - Complexity: O(*n*), plus O(log *n*) in an ordered table for each removed entity.
  @inlinable
  @discardableResult
  public mutating func remove(where predicate: (Entity) throws -> Bool) rethrows -> [Entity] {
    let removed = try filter(predicate)
    for entity in removed { remove(entity.entityID) }
    return removed
  }
}
