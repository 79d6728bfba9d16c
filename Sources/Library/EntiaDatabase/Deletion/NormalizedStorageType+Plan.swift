extension NormalizedStorageType {
  /// Returns the effects of removing entities, without removing them.
  /// - Parameter ids: The entities; those that are not in the database are listed as missing.
  /// - Complexity: That of the removal.
  public func plan<Entity: EntityType>(
    deleting ids: some Sequence<EntityIdentifier<Entity>>
  ) -> DeletionPlan<Self> {
    BatchTransaction<Self>(snapshot).plan(deleting: ids)
  }

  /// Returns the effects of removing an entity, without removing it.
  /// - Complexity: That of the removal.
  public func plan<Entity: EntityType>(
    deleting id: EntityIdentifier<Entity>
  ) -> DeletionPlan<Self> {
    plan(deleting: CollectionOfOne(id))
  }
}

extension BatchContext {
  /// Returns the effects of removing entities in the current state of the batch, without removing
  /// them.
  /// - Parameter ids: The entities; those that are not in the database are listed as missing.
  /// - Complexity: That of the removal.
  package func plan<Entity: EntityType>(
    deleting ids: some Sequence<EntityIdentifier<Entity>>
  ) -> DeletionPlan<Storage> {
    BatchTransaction<Storage>(transaction.version()).plan(deleting: ids)
  }

  /// Returns the effects of removing an entity in the current state of the batch, without
  /// removing it.
  /// - Complexity: That of the removal.
  package func plan<Entity: EntityType>(
    deleting id: EntityIdentifier<Entity>
  ) -> DeletionPlan<Storage> {
    plan(deleting: CollectionOfOne(id))
  }
}

extension BatchTransaction {
  fileprivate func plan<Entity: EntityType>(
    deleting ids: some Sequence<EntityIdentifier<Entity>>
  ) -> DeletionPlan<Storage> {
    let ids = Array(ids)
    Storage.Contents.requireTable(of: Entity.self)
    return plan { transaction in
      let table = transaction.contents.table(of: Entity.self)
      var removed: [Entity] = []
      var missing: [EntityLabel] = []
      for id in ids {
        if let entity = table?.remove(id) {
          removed.append(entity)
        } else {
          missing.append(EntityLabel(id))
        }
      }
      transaction.rowsRemoved(removed)
      return missing
    }
  }

  /// Performs a removal in this transaction, which is never committed, and returns its effects.
  func plan(
    _ perform: @escaping @Sendable (BatchTransaction<Storage>) -> [EntityLabel]
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
