public import EntiaCollections

extension Tables.Ordered {
  /// Inserts an entity after all others, or replaces the one with its ID in place.
  /// - Returns: The outcome: inserted, replaced (with the old value), or unchanged.
  /// - Complexity: O(log *n*) expected, including the copy of a path that an older version
  ///   shares.
  @inlinable
  @discardableResult
  public mutating func insert(_ entity: Entity) -> InsertionResult<Entity> {
    insert(entity, at: count)
  }

  /// Inserts an entity after all others, or replaces the one with its ID in place, as `insert`.
  /// - Returns: The outcome: inserted, replaced (with the old value), or unchanged.
  /// - Complexity: O(log *n*) expected, including the copy of a path that an older version
  ///   shares.
  @inlinable
  @discardableResult
  public mutating func append(_ entity: Entity) -> InsertionResult<Entity> { insert(entity) }

  /// Inserts entities after all others, in their order. Those whose IDs are in the table are
  /// replaced in place.
  /// - Returns: The outcome for each, in order.
  /// - Complexity: O(*k* · log *n*) expected in the number of entities.
  @inlinable
  @discardableResult
  public mutating func append(
    contentsOf entities: some Sequence<Entity>
  ) -> [InsertionResult<Entity>] { insert(entities) }

  /// Inserts an entity at a position, or replaces the one with its ID in place. Positions out of
  /// bounds are clamped.
  /// - Returns: The outcome: inserted, replaced (with the old value), or unchanged.
  /// - Complexity: O(log *n*) expected, including the copy of a path that an older version
  ///   shares.
  @inlinable
  @discardableResult
  public mutating func insert(_ entity: Entity, at position: Int) -> InsertionResult<Entity> {
    guard let known = rows.insert(entity, at: position.clamped(to: count)) else {
      return InsertionResult(entity: entity, outcome: .inserted)
    }
    let old = rows[position: known]
    if haveSameValue(old, entity) {
      if Entity.hasTransientMembers {
        rows[position: known] = entity
      } else {
        EqualityAudit.check(old, entity)
      }
      return InsertionResult(entity: entity, outcome: .unchanged)
    }
    rows[position: known] = entity
    return InsertionResult(entity: entity, outcome: .replaced(old))
  }

  /// Inserts entities at a position, one after another. Those whose IDs are in the table are
  /// replaced in place. Positions out of bounds are clamped.
  /// - Returns: The outcome for each, in order.
  /// - Complexity: O(*k* · log *n*) expected in the number of entities.
  @inlinable
  @discardableResult
  public mutating func insert(
    _ entities: some Sequence<Entity>, at position: Int
  ) -> [InsertionResult<Entity>] {
    var position = position.clamped(to: count)
    return entities.map { entity in
      let result = insert(entity, at: position)
      if result.outcome == .inserted { position += 1 }
      return result
    }
  }

  /// Replaces the entity that has the same ID, in place.
  /// - Returns: The replaced entity, or `nil` when no entity had the ID; nothing is stored then.
  /// - Complexity: O(1) expected; O(log *n*) to copy the path if an older version shares it.
  @inlinable
  @discardableResult
  public mutating func replace(_ entity: Entity) -> Entity? {
    contains(entity.entityID) ? rows.updateOrAppend(entity) : nil
  }

  /// Changes the entity with an ID.
  /// - Returns: The updated entity.
  /// - Throws: `TableError.notFound` when no entity has the ID, `TableError.changedID` when the
  ///   closure changes the ID, and the error that the closure throws. The table is then
  ///   unchanged.
  /// - Complexity: O(1) expected; O(log *n*) to copy the path if an older version shares it.
  @inlinable
  @discardableResult
  public mutating func updateExists(
    id: Entity.EntityID, _ body: (inout Entity) throws -> Void
  ) throws -> Entity {
    switch try stageUpdate(id: id, body) {
    case .missing: throw TableError.notFound(EntityLabel(id))
    case .changedID(let new): throw TableError.changedID(EntityLabel(id), to: EntityLabel(new))
    case .unchanged(let entity): return entity
    case .changed(_, let entity):
      rows.updateOrAppend(entity)
      return entity
    }
  }

  /// Changes the entity with an ID, if the table contains one.
  /// - Returns: The updated entity; `nil` when no entity has the ID or the closure changes the
  ///   ID. The table is then unchanged.
  /// - Throws: The error that the closure throws; the table is then unchanged.
  /// - Complexity: O(1) expected; O(log *n*) to copy the path if an older version shares it.
  @inlinable
  @discardableResult
  public mutating func updateIfExists(
    id: Entity.EntityID, _ body: (inout Entity) throws -> Void
  ) rethrows -> Entity? {
    switch try stageUpdate(id: id, body) {
    case .missing, .changedID: return nil
    case .unchanged(let entity): return entity
    case .changed(_, let entity):
      rows.updateOrAppend(entity)
      return entity
    }
  }
}
