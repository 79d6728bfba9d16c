extension BatchContext {
  /// Removes the entities that a plan lists, with the effects of its delete rules, and nothing
  /// else.
  ///
  /// ```swift
  /// let plan = library.plan(deleting: Author.EntityID("a1"))
  /// if confirms(plan) {
  ///   try library.performBatchUpdates { try $0.remove(plan) }
  /// }
  /// ```
  ///
  /// Other rows may have changed since the plan was created, and rows that it lists may have been
  /// removed. A rule that denies the removal refuses the batch at its end, as for every removal.
  ///
  /// - Parameter plan: The plan to carry out.
  /// - Throws: `DeletionError.stale` when the removal would now remove entities or nullify keys
  ///   that the plan does not list; nothing is removed then.
  /// - Complexity: Twice that of the removal.
  public mutating func remove(_ plan: DeletionPlan<Storage>) throws(DeletionError) {
    let present = BatchTransaction<Storage>(transaction.version()).plan(plan.perform)
    let removals = Set(plan.removals.map(\.entity))
    let additions = present.removals.filter { !removals.contains($0.entity) }
    let nullifications = Set(plan.nullifications.flatMap(DeletionError.keys))
    let lostKeys = present.nullifications.filter {
      !nullifications.isSuperset(of: DeletionError.keys($0))
    }
    guard additions.isEmpty, lostKeys.isEmpty else {
      throw .stale(
        storage: String(describing: Storage.self), removals: additions, nullifications: lostKeys)
    }
    _ = plan.perform(transaction)
  }
}
