/// A condition on the entities that reference a row.
struct HolderCondition<Relationship: RelationshipType>: RelatedCondition {
  typealias Entity = Relationship.Target

  let path: JoinPath<Relationship>
  let related: FetchDescriptor<Relationship.Holder>
  let quantifier: JoinQuantifier

  func prepare<Storage: NormalizedStorageType>(
    in storage: Storage, _ counter: FetchCounter
  ) -> PreparedCondition<Relationship.Target>? {
    guard let relationship = path.relationship(in: storage),
      let rows = RelatedRows(related, in: storage, counter),
      let targetCount = storage.snapshot.table(of: Relationship.Target.self)?.count
    else { return nil }
    let name = JoinPath.name(of: relationship, in: storage.snapshot.contents)
    let found = quantifier.requiresMatch ? rows.candidates : nil
    let candidates = found.map { holders in
      RowCandidates<Relationship.Target>(
        count: rows.estimate(holders.count, of: targetCount), names: holders.names + [name],
        access: "\(holders.access) through \(name)", hasRepeats: true
      ) { body in
        rows.visit(holders) { relationship.targetIDs(of: $0).allSatisfy(body) }
      }
    }
    return PreparedCondition(
      accepts: { row in
        let target = row.assumingMemoryBound(to: Relationship.Target.self)
        return quantifier.accepts(
          relationship.holderIDs(of: target.pointee.entityID), in: rows)
      }, candidates: candidates, interpreted: rows.interpreted)
  }

  var relatedEntities: [ObjectIdentifier] { related.entityTypes }

  func affectedIDs<Storage: NormalizedStorageType>(
    by changes: [ObjectIdentifier: any AnyTableChanges], from old: Storage, to new: Storage
  ) -> [Relationship.Target.EntityID] {
    guard let relationship = path.relationship(in: new) else { return [] }
    var rows: [Relationship.Holder] = []
    let type = ObjectIdentifier(Relationship.Holder.self)
    if let holders = changes[type] as? TableChanges<Relationship.Holder> {
      rows += holders.inserted + holders.removed + holders.updated.flatMap { [$0.old, $0.new] }
    }
    // An unchanged holder references the same entities in both versions, so one version of it is
    // enough.
    for id in related.affectedIDs(by: changes, from: old, to: new) {
      if let row = new.row(of: id) ?? old.row(of: id) { rows.append(row) }
    }
    return rows.flatMap { relationship.targetIDs(of: $0) }
  }
}

/// The rows of a related entity type, and the conditions on them.
struct RelatedRows<Entity: EntityType> {
  private let plan: FetchPlan<Entity>
  private let counter: FetchCounter

  /// The rows that an index finds; `nil` when a scan costs less or no index can be used.
  var candidates: RowCandidates<Entity>? { plan.candidates }

  /// The kinds of expressions in the conditions that are left to `evaluate`.
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

  /// Whether a row satisfies the conditions; `nil` when no row has the ID.
  func accepts(_ id: Entity.EntityID) -> Bool? {
    plan.table.row(of: id).map { accepts($0.row) }
  }

  /// Calls the closure with the candidates that satisfy the conditions, until it returns `false`.
  func visit(_ candidates: RowCandidates<Entity>, _ body: (Entity) -> Bool) {
    candidates.visit { id in
      guard let found = plan.table.row(of: id), accepts(found.row) else { return true }
      return body(found.row.assumingMemoryBound(to: Entity.self).pointee)
    }
  }

  /// Returns an estimate of how many of `rows` rows are related to `count` rows of this table.
  func estimate(_ count: Int, of rows: Int) -> Int {
    guard plan.table.count > 0 else { return 0 }
    let (product, overflow) = rows.multipliedReportingOverflow(by: count)
    return overflow ? rows : min(rows, (product + plan.table.count - 1) / plan.table.count)
  }

  private func accepts(_ row: UnsafeRawPointer) -> Bool {
    counter.work.relatedRowsExamined += 1
    return PredicateFrame.with(slotCount: plan.filter.slotCount) { frame in
      frame.set(0, to: row)
      // A row for which the predicate has no value does not match.
      do { return try plan.filter.test(frame) } catch { return false }
    }
  }
}
