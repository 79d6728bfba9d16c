import EntiaCollections

extension TableEditor {
  /// Inserts an entity, or merges it with the one with its ID where that stands. Of several with one
  /// ID in a batch all count, in the order in which they come.
  /// - Parameters:
  ///   - entity: the entity that comes.
  ///   - policy: what is stored when there is one already. One that changes the ID leaves the row as
  ///     it was, and the batch's `problems` say so.
  /// - Returns: what that did: inserted, replaced (with the old value), or unchanged; its entity is
  ///   what is stored.
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func insert(
    _ entity: Entity, merging policy: MergePolicy<Entity>
  ) -> InsertionResult<Entity> {
    guard let existing = find(by: entity.entityID) else { return insert(entity) }
    let merged = policy.merged(existing, with: entity)
    guard merged.entityID == existing.entityID else {
      workspace.problems.append(
        .changedID(EntityLabel(existing.entityID), to: EntityLabel(merged.entityID)))
      return InsertionResult(entity: existing, outcome: .unchanged)
    }
    return insert(merged)
  }

  /// Inserts entities, or merges them with those with their IDs where they stand.
  /// - Parameters:
  ///   - entities: the entities that come.
  ///   - policy: what is stored when there is one already.
  /// - Returns: what that did for each, in order.
  /// - Complexity: O(*k* · log *n*) in the number of entities.
  @discardableResult
  public mutating func insert(
    _ entities: some Sequence<Entity>, merging policy: MergePolicy<Entity>
  ) -> [InsertionResult<Entity>] {
    entities.map { insert($0, merging: policy) }
  }
}

extension TableEditor where Entity: MergingEntityType {
  /// Inserts an entity, or merges it with the one with its ID as the entity's own policy says.
  /// - Returns: what that did; its entity is what is stored.
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func merge(_ entity: Entity) -> InsertionResult<Entity> {
    insert(entity, merging: Entity.mergePolicy)
  }

  /// Inserts entities, or merges them with those with their IDs as the entity's own policy says.
  /// - Returns: what that did for each, in order.
  /// - Complexity: O(*k* · log *n*) in the number of entities.
  @discardableResult
  public mutating func merge(_ entities: some Sequence<Entity>) -> [InsertionResult<Entity>] {
    insert(entities, merging: Entity.mergePolicy)
  }
}
