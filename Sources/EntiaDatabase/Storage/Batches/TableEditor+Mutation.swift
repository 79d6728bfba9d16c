public import EntiaCollections

extension TableEditor {
  /// Inserts an entity, or replaces the one with its ID where that stands.
  /// - Returns: what that did: inserted, replaced (with the old value), or unchanged.
  /// - Complexity: O(log *n*).
  @inlinable
  @discardableResult
  public mutating func insert(_ entity: Entity) -> InsertionResult<Entity> {
    noted(table.pointee.insert(entity))
  }

  /// Keeps relationships in step with an insertion.
  @inlinable
  @inline(__always)
  func noted(_ result: InsertionResult<Entity>) -> InsertionResult<Entity> {
    switch result.outcome {
    case .inserted: workspace.rowChanged(from: nil, to: result.entity)
    case .replaced(let old): workspace.rowChanged(from: old, to: result.entity)
    case .unchanged: break
    }
    return result
  }

  /// Inserts entities, or replaces those with their IDs where they stand.
  /// - Returns: what that did for each, in order.
  /// - Complexity: O(*k* · log *n*) in the number of entities.
  @inlinable
  @discardableResult
  public mutating func insert(
    _ entities: some Sequence<Entity>
  ) -> [InsertionResult<Entity>] {
    entities.map { insert($0) }
  }

  /// Changes the entity with an ID.
  /// - Returns: the updated entity.
  /// - Throws: `TableError.notFound` when there is none, `TableError.changedID` when the closure
  ///   changed its ID, and what the closure throws. The row is then as it was.
  /// - Complexity: O(log *n*).
  @inlinable
  @discardableResult
  public mutating func updateExists(
    id: Entity.EntityID, _ body: (inout Entity) throws -> Void
  ) throws -> Entity {
    switch try table.pointee.stageUpdate(id: id, body) {
    case .missing: throw TableError.notFound(EntityLabel(id))
    case .changedID(let new): throw TableError.changedID(EntityLabel(id), to: EntityLabel(new))
    case .unchanged(let entity): return entity
    case .changed(_, let entity):
      guard replace(by: entity) else { throw TableError.notFound(EntityLabel(id)) }
      return entity
    }
  }

  /// Changes the entity with an ID, if there is one.
  /// - Returns: the updated entity; `nil` when there is none, and when the closure changed its ID:
  ///   the row is then as it was, and the batch's `problems` say so.
  /// - Throws: what the closure throws; the row is then as it was.
  /// - Complexity: O(log *n*).
  @inlinable
  @discardableResult
  public mutating func updateIfExists(
    id: Entity.EntityID, _ body: (inout Entity) throws -> Void
  ) rethrows -> Entity? {
    switch try table.pointee.stageUpdate(id: id, body) {
    case .missing: return nil
    case .changedID(let new):
      workspace.problems.append(.changedID(EntityLabel(id), to: EntityLabel(new)))
      return nil
    case .unchanged(let entity): return entity
    case .changed(_, let entity):
      return replace(by: entity) ? entity : nil
    }
  }

  /// Changes every entity that the predicate accepts; one whose ID the closure changes is left as
  /// it was, and the batch's `problems` say so.
  /// - Returns: the entities that are different now, in the table's order.
  /// - Throws: what the closures throw; the table is then as it was.
  /// - Complexity: O(*n*).
  @inlinable
  @discardableResult
  public mutating func update(
    where predicate: (Entity) throws -> Bool, _ body: (inout Entity) throws -> Void
  ) rethrows -> [Entity] {
    var updated: [Entity] = []
    var problems: [BatchProblem] = []
    for entity in table.pointee where try predicate(entity) {
      var changed = entity
      try body(&changed)
      if changed.entityID != entity.entityID {
        problems.append(
          .changedID(EntityLabel(entity.entityID), to: EntityLabel(changed.entityID)))
      } else if !haveSameValue(changed, entity) {
        updated.append(changed)
      }
    }
    workspace.problems += problems
    return updated.filter { replace(by: $0) }
  }

  /// Removes the entity with an ID, and what the delete rules say goes with it.
  /// - Returns: the removed entity, or `nil`.
  /// - Complexity: O(log *n*) for each row that is touched.
  @inlinable
  @discardableResult
  public mutating func remove(_ id: Entity.EntityID) -> Entity? {
    guard let removed = table.pointee.remove(id) else { return nil }
    workspace.rowsRemoved(CollectionOfOne(removed))
    return removed
  }

  /// Removes the entities with the IDs, and what the delete rules say goes with them.
  /// - Returns: the removed entities with the IDs, in their order.
  /// - Complexity: O(log *n*) for each row that is touched.
  @inlinable
  @discardableResult
  public mutating func remove(_ ids: some Sequence<Entity.EntityID>) -> [Entity] {
    let removed = ids.compactMap { table.pointee.remove($0) }
    workspace.rowsRemoved(removed)
    return removed
  }

  /// Removes every entity that the predicate accepts, and what the delete rules say goes with them.
  /// - Returns: the removed entities, in the table's order.
  /// - Throws: what the predicate throws; the table is then as it was.
  /// - Complexity: O(*n*), and O(log *n*) for each row that is touched.
  @inlinable
  @discardableResult
  public mutating func remove(where predicate: (Entity) throws -> Bool) rethrows -> [Entity] {
    let accepted = try table.pointee.filter(predicate)
    return remove(accepted.map(\.entityID))
  }

  /// Removes every entity, and what the delete rules say goes with them.
  /// - Complexity: O(log *n*) for each row that is touched.
  @inlinable
  public mutating func removeAll() { remove(allIDs()) }

  @inlinable
  @inline(__always)
  mutating func replace(by new: Entity) -> Bool {
    // The closure may have removed the row, or changed it, through another editor.
    guard let old = table.pointee.replace(new) else { return false }
    workspace.rowChanged(from: old, to: new)
    return true
  }
}
