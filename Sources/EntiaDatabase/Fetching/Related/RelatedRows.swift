/// The rows of an entity that is related to the one that is fetched, and the conditions on them.
struct RelatedRows<Entity: EntityType> {
  private let plan: FetchPlan<Entity>
  private let counter: FetchCounter

  /// The rows that an index finds; `nil` when a scan costs less or none finds them.
  var candidates: RowCandidates<Entity>? { plan.candidates }

  /// What of the conditions is left to `evaluate`.
  let interpreted: [String]

  init?<Storage: NormalizedStorageType>(
    _ descriptor: FetchDescriptor<Entity>, in storage: Storage, _ counter: FetchCounter
  ) {
    guard let plan = FetchPlan(descriptor, in: storage, usingIndexes: true, counter) else {
      return nil
    }
    self.plan = plan
    self.counter = counter
    interpreted = plan.interpreted
  }

  /// Whether a row meets the conditions; `nil` when there is no row with the ID.
  func accepts(_ id: Entity.EntityID) -> Bool? {
    plan.table.row(of: id).map { accepts($0.row) }
  }

  /// Calls the closure with the candidates that meet the conditions until it returns `false`.
  func visit(_ candidates: RowCandidates<Entity>, _ body: (Entity) -> Bool) {
    candidates.visit { id in
      guard let found = plan.table.row(of: id), accepts(found.row) else { return true }
      return body(found.row.assumingMemoryBound(to: Entity.self).pointee)
    }
  }

  /// Returns an estimate of how many of some rows are related to a number of these.
  func estimate(_ count: Int, of rows: Int) -> Int {
    guard plan.table.count > 0 else { return 0 }
    let (product, overflow) = rows.multipliedReportingOverflow(by: count)
    return overflow ? rows : min(rows, (product + plan.table.count - 1) / plan.table.count)
  }

  private func accepts(_ row: UnsafeRawPointer) -> Bool {
    counter.work.relatedRowsExamined += 1
    return PredicateFrame.with(slotCount: plan.filter.slotCount) { frame in
      frame.set(0, to: row)
      // A row for which a predicate has no value is none that it accepts.
      do { return try plan.filter.test(frame) } catch { return false }
    }
  }
}
