public import EntiaCollections

extension Tables.Hash {
  /// Reserves space for a total number of entities, so that the table does not grow step by step.
  /// - Complexity: O(*n*) in the larger of the capacity and the count.
  @inlinable
  public mutating func reserveCapacity(_ capacity: Int) { rows.reserveCapacity(capacity) }

  /// Inserts an entity, or replaces the one with its ID in place.
  /// - Returns: The outcome: inserted, replaced (with the old value), or unchanged.
  /// - Complexity: O(1) expected and amortized; O(log *n*) to copy the path if an older version
  ///   shares it.
  @inlinable
  @inline(__always)
  @discardableResult
  public mutating func insert(_ entity: consuming Entity) -> InsertionResult<Entity> {
    Self.insert(entity, into: &rows)
  }

  /// Inserts entities, or replaces those with their IDs in place.
  /// - Returns: The outcome for each, in order.
  /// - Complexity: O(*k*) expected in the number of entities.
  @inlinable
  @discardableResult
  public mutating func insert(_ entities: some Sequence<Entity>) -> [InsertionResult<Entity>] {
    guard rows.isFillable else { return entities.map { insert($0) } }
    var results: [InsertionResult<Entity>] = []
    results.reserveCapacity(entities.underestimatedCount)
    rows.fill(
      entities,
      inserted: { results.append(InsertionResult(entity: $0.pointee, outcome: .inserted)) },
      replace: { results.append(Self.insert($1, into: &$0)) })
    return results
  }

  @inlinable
  @inline(__always)
  static func insert(
    _ entity: consuming Entity, into rows: inout PersistentTable<EntityTableLayout<Entity>>
  ) -> InsertionResult<Entity> {
    if Entity.hasTransientMembers { return insertEqualToo(entity, into: &rows) }
    #if DEBUG
      let sample = EqualityAudit.sample(rows[entity.entityID], entity)
    #endif
    // The given entity is moved into the table, because a copy would be retained and released once
    // more, which takes as long as a third of an insertion. The result is a copy of the stored
    // entity, whose retain and release the optimizer removes if it is not used.
    let (outcome, stored) = rows.insertReturningAddress(entity)
    #if DEBUG
      if let sample, case .unchanged = outcome {
        EqualityAudit.check(equal: sample.stored, sample.new)
      }
    #endif
    return InsertionResult(entity: stored.pointee, outcome: outcome)
  }

  /// Inserts an entity whose transient members are stored even if it equals the stored one.
  @inlinable
  static func insertEqualToo(
    _ entity: Entity, into rows: inout PersistentTable<EntityTableLayout<Entity>>
  ) -> InsertionResult<Entity> {
    let outcome = rows.insert(entity)
    if case .unchanged = outcome { rows.replace(entity) }
    return InsertionResult(entity: entity, outcome: outcome)
  }

  /// Changes the entity with an ID.
  /// - Returns: The updated entity.
  /// - Throws: `TableError.notFound` when no entity has the ID, `TableError.changedID` when the
  ///   closure changes the ID, and the error that the closure throws. The table is then
  ///   unchanged.
  /// - Complexity: O(1) expected; O(log *n*) to copy the path if an older version shares it.
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

  /// Changes the entity with an ID, if the table contains one.
  /// - Returns: The updated entity; `nil` when no entity has the ID or the closure changes the
  ///   ID. The table is then unchanged.
  /// - Throws: The error that the closure throws; the table is then unchanged.
  /// - Complexity: O(1) expected; O(log *n*) to copy the path if an older version shares it.
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
  /// - Returns: The removed entity, or `nil` when no entity has the ID.
  /// - Complexity: O(1) expected; O(log *n*) to copy the path if an older version shares it.
  @inlinable
  @inline(__always)
  @discardableResult
  public mutating func remove(_ id: Entity.EntityID) -> Entity? { rows.remove(id) }

  /// Removes every entity.
  /// - Complexity: O(1) when an older version retains the entities, otherwise O(*n*) to release
  ///   them.
  @inlinable
  public mutating func removeAll() { rows.removeAll() }
}
