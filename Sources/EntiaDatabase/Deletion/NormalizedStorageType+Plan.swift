extension NormalizedStorageType {
  /// Returns what removing entities would do, without doing it.
  /// - Parameter ids: the entities; those that are not there are listed as missing.
  /// - Complexity: that of the removal.
  public func plan<Entity: EntityType>(
    deleting ids: some Sequence<EntityIdentifier<Entity>>
  ) -> DeletionPlan<Self> {
    Workspace<Self>(snapshot).plan(deleting: ids)
  }

  /// Returns what removing an entity would do, without doing it.
  /// - Complexity: that of the removal.
  public func plan<Entity: EntityType>(
    deleting id: EntityIdentifier<Entity>
  ) -> DeletionPlan<Self> {
    plan(deleting: CollectionOfOne(id))
  }
}

extension BatchContext {
  /// Returns what removing entities would do to the database as the batch has it now, without doing
  /// it.
  /// - Parameter ids: the entities; those that are not there are listed as missing.
  /// - Complexity: that of the removal.
  public func plan<Entity: EntityType>(
    deleting ids: some Sequence<EntityIdentifier<Entity>>
  ) -> DeletionPlan<Storage> {
    Workspace<Storage>(workspace.version()).plan(deleting: ids)
  }

  /// Returns what removing an entity would do to the database as the batch has it now, without doing
  /// it.
  /// - Complexity: that of the removal.
  public func plan<Entity: EntityType>(
    deleting id: EntityIdentifier<Entity>
  ) -> DeletionPlan<Storage> {
    plan(deleting: CollectionOfOne(id))
  }
}

extension Workspace {
  fileprivate func plan<Entity: EntityType>(
    deleting ids: some Sequence<EntityIdentifier<Entity>>
  ) -> DeletionPlan<Storage> {
    let ids = Array(ids)
    return plan { workspace in
      let table = workspace.contents.table(of: Entity.self)
      var removed: [Entity] = []
      var missing: [EntityLabel] = []
      for id in ids {
        if let entity = table?.remove(id) {
          removed.append(entity)
        } else {
          missing.append(EntityLabel(id))
        }
      }
      workspace.rowsRemoved(removed)
      return missing
    }
  }

  /// Does a removal in this workspace, which is not committed, and returns what it did.
  func plan(
    _ perform: @escaping @Sendable (Workspace<Storage>) -> [EntityLabel]
  ) -> DeletionPlan<Storage> {
    let record = DeletionRecord()
    self.record = record
    let missing = perform(self)
    return DeletionPlan(
      removals: record.removals, nullifications: record.nullifications,
      violations: violations() + constraintViolations(), missing: missing,
      changes: changes, perform: perform)
  }
}
