import EntiaCollections

extension TableEditor {
  /// Inserts an entity, or merges it with the one with its ID in place. Several entities with the
  /// same ID in a batch are all merged, in the order of the calls.
  /// - Parameters:
  ///   - entity: The entity to insert.
  ///   - policy: The policy for an existing entity. If it changes the ID, the row is unchanged,
  ///     and the batch's `problems` list it.
  /// - Returns: The outcome: inserted, replaced (with the old value), or unchanged. Its entity is
  ///   the stored one.
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func insert(
    _ entity: Entity, merging policy: MergePolicy<Entity>
  ) -> InsertionResult<Entity> {
    guard let existing = find(by: entity.entityID) else { return insert(entity) }
    let merged = policy.merged(existing, with: entity)
    guard merged.entityID == existing.entityID else {
      transaction.problems.append(
        .changedID(EntityLabel(existing.entityID), to: EntityLabel(merged.entityID)))
      return InsertionResult(entity: existing, outcome: .unchanged)
    }
    return insert(merged)
  }

  /// Inserts entities, or merges them with those with their IDs in place.
  /// - Parameters:
  ///   - entities: The entities to insert.
  ///   - policy: The policy for an existing entity.
  /// - Returns: The outcome for each, in order.
  /// - Complexity: O(*k* · log *n*) in the number of entities.
  @discardableResult
  public mutating func insert(
    _ entities: some Sequence<Entity>, merging policy: MergePolicy<Entity>
  ) -> [InsertionResult<Entity>] {
    entities.map { insert($0, merging: policy) }
  }
}

extension TableEditor where Entity: MergingEntityType {
  /// Inserts an entity, or merges it with the one with its ID by the entity's own policy.
  /// - Returns: The outcome; its entity is the stored one.
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func merge(_ entity: Entity) -> InsertionResult<Entity> {
    insert(entity, merging: Entity.mergePolicy)
  }

  /// Inserts entities, or merges them with those with their IDs by the entity's own policy.
  /// - Returns: The outcome for each, in order.
  /// - Complexity: O(*k* · log *n*) in the number of entities.
  @discardableResult
  public mutating func merge(_ entities: some Sequence<Entity>) -> [InsertionResult<Entity>] {
    insert(entities, merging: Entity.mergePolicy)
  }
}
