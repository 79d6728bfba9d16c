/// Removals that a delete rule requires, of entities of any type.
protocol PendingRemovals {
  func perform<Storage: NormalizedStorageType>(in cascade: Cascade<Storage>)
}

/// Entities that are removed because a relationship connects them with a removed one.
struct EntityRemovals<Entity: EntityType, Cause: EntityType>: PendingRemovals {
  let ids: [Entity.EntityID]
  let cause: Cause.EntityID
  let relationship: String
  /// Whether the entities are removed because they reference the cause; otherwise the cause
  /// references them.
  let areHolders: Bool

  func perform<Storage: NormalizedStorageType>(in cascade: Cascade<Storage>) {
    guard let table = cascade.transaction.contents.table(of: Entity.self) else { return }
    for id in ids {
      guard let removed = table.remove(id) else { continue }
      cascade.record?.removed(
        id,
        areHolders
          ? .references(EntityLabel(cause), relationship: relationship)
          : .isReferenced(by: EntityLabel(cause), relationship: relationship))
      cascade.addEffects(ofRemoving: removed)
    }
  }
}
