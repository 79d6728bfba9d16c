public import EntiaCollections

extension Tables.Hash {
  /// Prepares for a number of entities in all, so that inserting them grows nothing step by step.
  /// - Complexity: O(*n*) in the larger of the capacity and the count.
  @inlinable
  public mutating func reserveCapacity(_ capacity: Int) { rows.reserveCapacity(capacity) }

  /// Inserts an entity, or replaces the one with its ID where that stands.
  /// - Returns: what that did: inserted, replaced (with the old value), or unchanged.
  /// - Complexity: O(1) expected and amortized; what an older version shares is copied, O(log *n*).
  @inlinable
  @inline(__always)
  @discardableResult
  public mutating func insert(_ entity: Entity) -> InsertionResult<Entity> {
    let outcome = rows.insert(entity)
    if case .unchanged = outcome { EqualityAudit.check(rows[entity.entityID], entity) }
    return InsertionResult(entity: entity, outcome: outcome)
  }

  /// Changes the entity with an ID.
  /// - Returns: the updated entity.
  /// - Throws: `TableError.notFound` when there is none, `TableError.changedID` when the closure
  ///   changed its ID, and what the closure throws. The table is then as it was.
  /// - Complexity: O(1) expected; what an older version shares is copied, O(log *n*).
  @inlinable
  @inline(__always)
  @discardableResult
  public mutating func updateExists(
    id: Entity.EntityID, _ body: (inout Entity) throws -> Void
  ) throws -> Entity {
    switch try applyUpdate(id: id, body) {
    case .missing: throw TableError.notFound(EntityLabel(id))
    case .changedID(let new): throw TableError.changedID(EntityLabel(id), to: EntityLabel(new))
    case .stored(let entity): return entity
    }
  }

  /// Changes the entity with an ID, if there is one.
  /// - Returns: the updated entity; `nil` when there is none or the closure changed its ID, and then
  ///   the table is as it was.
  /// - Throws: what the closure throws; the table is then as it was.
  /// - Complexity: O(1) expected; what an older version shares is copied, O(log *n*).
  @inlinable
  @inline(__always)
  @discardableResult
  public mutating func updateIfExists(
    id: Entity.EntityID, _ body: (inout Entity) throws -> Void
  ) rethrows -> Entity? {
    switch try applyUpdate(id: id, body) {
    case .missing, .changedID: return nil
    case .stored(let entity): return entity
    }
  }

  /// Removes the entity with an ID.
  /// - Returns: the removed entity, or `nil`.
  /// - Complexity: O(1) expected; what an older version shares is copied, O(log *n*).
  @inlinable
  @discardableResult
  public mutating func remove(_ id: Entity.EntityID) -> Entity? { rows.remove(id) }

  /// Removes every entity.
  /// - Complexity: O(1) when an older version keeps them, else O(*n*) for releasing them.
  @inlinable
  public mutating func removeAll() { rows.removeAll() }
}
