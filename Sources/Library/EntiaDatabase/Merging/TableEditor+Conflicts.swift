import EntiaCollections

extension TableEditor {
  /// Inserts an entity, or replaces the stored entity with the same ID in place. If a stored entity
  /// with another ID shares a unique key with `entity`, the policy merges the two:
  /// - If the merged entity has the ID of `entity`, it is stored. Every other stored entity that
  ///   shares a unique key with `entity` is removed.
  /// - If the merged entity has the ID of the stored entity, it replaces the stored entity.
  ///   `entity` is not inserted, and a stored entity with the ID of `entity` is not changed.
  /// - If the merged entity has another ID, nothing is inserted, and the batch's `problems` list
  ///   this.
  ///
  /// ```swift
  /// context.modifying.authors.insert(author, onConflict: .replace)
  /// context.modifying.authors.insert(author, onConflict: .merge { $0.name = $1.name })
  /// ```
  ///
  /// Without a policy, two entities with the same unique key are an error at the end of the batch.
  /// The same error occurs if the merged entity shares a unique key with a third entity.
  /// - Returns: The outcome.
  /// - Complexity: O(log *n*), plus that of removals.
  @discardableResult
  public mutating func insert(
    _ entity: Entity, onConflict policy: MergePolicy<Entity>
  ) -> UniqueInsertion<Entity> {
    let others = transaction.others(with: entity).compactMap { table.pointee.find(by: $0) }
    guard let first = others.first else { return .inserted(insert(entity)) }
    if transaction.isNoting {
      for id in others.map({ $0.entityID }) + [entity.entityID] { transaction.noteWrite(id) }
    }
    let merged = policy.merged(first, with: entity)
    if merged.hasID(entity.entityID) {
      let removed = remove(others.map { $0.entityID })
      return .replaced(insert(merged), removed: removed)
    }
    guard merged.hasID(first.entityID) else {
      transaction.problems.append(
        .changedID(EntityLabel(first.entityID), to: EntityLabel(merged.entityID)))
      return .kept(others)
    }
    return merged == first ? .kept(others) : .merged(insert(merged))
  }

  /// Inserts entities one by one, or replaces the stored entities with the same IDs in place. If an
  /// entity shares a unique key with a stored entity that has another ID, the policy merges the
  /// two. The stored entity may be one that this call has just inserted.
  /// - Returns: The outcome for each, in order.
  /// - Complexity: O(*k* · log *n*) in the number of entities, plus that of removals.
  @discardableResult
  public mutating func insert(
    _ entities: some Sequence<Entity>, onConflict policy: MergePolicy<Entity>
  ) -> [UniqueInsertion<Entity>] {
    entities.map { insert($0, onConflict: policy) }
  }
}

extension BatchTransaction {
  /// Returns the IDs of the other entities that share a unique key with `entity`, in the order in
  /// which the indexes are declared.
  func others<Entity: EntityType>(with entity: Entity) -> [Entity.EntityID] {
    var search = ConflictSearch<Storage, Entity>(transaction: self, entity: entity)
    Storage.Contents.visitParts(&search)
    return search.result
  }
}

private struct ConflictSearch<Storage: NormalizedStorageType, Entity: EntityType>: StorageVisitor {
  typealias Contents = Storage.Contents

  let transaction: BatchTransaction<Storage>
  let entity: Entity
  var result: [Entity.EntityID] = []

  mutating func index<Index: IndexType>(_ name: String, _ path: PartPath<Contents, Index>) {
    guard Index.Entity.self == Entity.self, Index.self is any ConstrainingIndex.Type,
      let index = transaction.contents.part(at: path).pointee as? any ConstrainingIndex<Entity>
    else { return }
    for id in index.others(with: entity) where !result.contains(id) { result.append(id) }
  }
}

extension TableEditor {
  /// Inserts an entity, or merges it in place with the stored entity that has its ID. Several
  /// entities with the same ID in a batch are all merged, in the order of the calls.
  /// - Parameters:
  ///   - entity: The entity to insert.
  ///   - policy: The policy for an existing entity. If the policy changes the ID, the row stays
  ///     unchanged, and the batch's `problems` list the change.
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

  /// Inserts entities, or merges them in place with the stored entities that have their IDs.
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
  /// Inserts an entity, or merges it with the stored one by the entity type's own policy.
  /// - Returns: The outcome; its entity is the stored one.
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func merge(_ entity: Entity) -> InsertionResult<Entity> {
    insert(entity, merging: Entity.mergePolicy)
  }

  /// Inserts entities, or merges them with the stored ones by the entity type's own policy.
  /// - Returns: The outcome for each, in order.
  /// - Complexity: O(*k* · log *n*) in the number of entities.
  @discardableResult
  public mutating func merge(_ entities: some Sequence<Entity>) -> [InsertionResult<Entity>] {
    insert(entities, merging: Entity.mergePolicy)
  }
}

/// The outcome of an insertion with a policy for conflicts of unique keys.
public enum UniqueInsertion<Entity: EntityType>: Equatable, Sendable {
  /// The entity was inserted as usual, because no other entity shared a unique key with it.
  case inserted(InsertionResult<Entity>)
  /// The entity was inserted, and the entities that shared a unique key with it were removed.
  case replaced(InsertionResult<Entity>, removed: [Entity])
  /// Nothing was inserted, because these stored entities share a unique key with the entity.
  case kept([Entity])
  /// The entity was merged into a stored entity, which now has the value in this result.
  case merged(InsertionResult<Entity>)

  /// The entity that is now stored for the inserted one: the inserted entity itself, the entity
  /// into which it was merged, or the first entity that was kept.
  public var entity: Entity? {
    switch self {
    case .inserted(let result), .replaced(let result, _), .merged(let result): result.entity
    case .kept(let others): others.first
    }
  }
}
