import EntiaCollections

/// An eviction that is carried out in several batches, while other batches change the database.
///
/// Rows that were kept at the start stay kept. Other rows can become reachable only from rows that
/// another batch writes, from the roots and from the held IDs. The search for kept rows continues
/// from these rows, roots and IDs.
package final class EvictionRun<Storage: NormalizedStorageType> {
  private let kept: Reachability<Storage.Contents>
  /// The version for which the removals were planned.
  private let start: Storage
  /// The last version whose changes are included in `kept` and `size`.
  private var version: Storage
  /// The removals that `next` has not returned yet.
  private var steps: ArraySlice<EvictionStep>
  /// The removals that `next` returned last, if they have not been carried out.
  private var pending: [EvictionStep] = []
  /// Whether removals were skipped, because one of their rows stays.
  package private(set) var hasSkipped = false
  private let budget: EvictionBudget
  /// The size of `version`, in the unit of the budget.
  private var size: Int

  /// Plans the removals, as `plan(evictingDownTo:keeping:)` does.
  package init(
    _ storage: Storage, downTo budget: EvictionBudget, keeping roots: [CollectionRoot]
  ) {
    let search = storage.search(evictingDownTo: budget, keeping: roots)
    self.budget = budget
    size = search.size
    search.run()
    kept = search.kept
    start = storage
    version = storage
    steps = search.steps[...]
  }

  /// Whether all removals have been carried out or skipped.
  package var isEmpty: Bool { steps.isEmpty && pending.isEmpty }

  /// Returns the next removals, or an empty array if none are left. Skips a removal if one of its
  /// rows is now kept, or if the age of one of its rows has changed since the start. Once a removal
  /// was skipped, a removal that depends on other removals is not possible any more. If such a
  /// removal is next, returns `nil`, and the caller needs a new plan. Returns no more removals than
  /// the budget requires, because other batches, for example of other processes, may have reduced
  /// the database.
  /// - Parameters:
  ///   - count: The number of removals.
  ///   - storage: The current version.
  ///   - roots: Returns the entities that are kept. It is called only if another batch has changed
  ///     the database.
  /// - Complexity: O(*k* log *n*), where *k* counts the removals, the rows written since the last
  ///   call, and the rows that are reached for the first time.
  package func next(
    _ count: Int, in storage: Storage, keeping roots: () -> [CollectionRoot]
  ) -> [EvictionStep]? {
    if !storage.snapshot.isIdentical(to: version.snapshot) {
      let changes = storage.changes(since: version)
      var growth = Growth(changes: changes, budget: budget)
      Storage.Contents.visitParts(&growth)
      size += growth.size
      kept.move(to: storage.snapshot)
      CollectionRoot.rows(writtenBy: changes, in: storage).mark.mark(in: kept)
      for root in roots() { root.mark.mark(in: kept) }
      var held = HeldRoots(reach: kept)
      Storage.Contents.visitParts(&held)
      kept.spread()
      version = storage
    }
    if size <= budget.limit {
      steps = []
      pending = []
      hasSkipped = false
    }
    // The removals that were returned last come first, because they were not carried out.
    var waiting = pending[...]
    pending = []
    defer { if !waiting.isEmpty { steps = waiting + steps } }
    var rest = size
    while pending.count < count, rest > budget.limit, let step = waiting.first ?? steps.first {
      if hasSkipped, !step.isIndependent { return pending.isEmpty ? nil : pending }
      if waiting.popFirst() == nil { _ = steps.popFirst() }
      if !isCurrent(step) {
        hasSkipped = true
        continue
      }
      pending.append(step)
      rest -= step.size
    }
    return pending
  }

  private func isCurrent(_ step: EvictionStep) -> Bool {
    let (before, now) = (start.snapshot, version.snapshot)
    return step.rows.allSatisfy { !$0.isKept(in: kept) && $0.hasSameAge(in: now, asIn: before) }
  }

  /// Records that the removals in the last result of `next` have been carried out.
  /// - Parameter storage: The version after the removals.
  package func noteRemoved(in storage: Storage) {
    size -= pending.reduce(0) { $0 + $1.size }
    pending = []
    kept.move(to: storage.snapshot)
    version = storage
  }
}

/// Measures by how much changes enlarge a database.
private struct Growth<Storage: NormalizedStorageType>: StorageVisitor {
  typealias Contents = Storage.Contents

  let changes: StorageChangeSet<Storage>
  let budget: EvictionBudget
  var size = 0

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    let changes = changes.changes(of: Table.Entity.self)
    for row in changes.inserted { size += budget.size(of: row) }
    for update in changes.updated {
      size += budget.size(of: update.new) - budget.size(of: update.old)
    }
    for row in changes.removed { size -= budget.size(of: row) }
  }
}

extension EvictedRow {
  /// Whether `reach`, which contains the kept rows, contains the row.
  func isKept<Contents: StorageContents>(in reach: Reachability<Contents>) -> Bool {
    reach.rows(of: Entity.self).ids.contains(id)
  }

  /// Whether the row exists in a version, with the same time of receipt as in another version.
  func hasSameAge<Contents: StorageContents>(
    in snapshot: Snapshot<Contents>, asIn other: Snapshot<Contents>
  ) -> Bool {
    if snapshot.find(id) == nil { return false }
    var comparison = AgeComparison(a: snapshot.contents, b: other.contents, row: id)
    Contents.visitParts(&comparison)
    return comparison.isSame
  }
}

private struct AgeComparison<Contents: StorageContents, Entity: EntityType>: FreshnessVisitor {
  let a: Contents
  let b: Contents
  let row: EntityIdentifier<Entity>
  var isSame = true

  mutating func freshness<Index: FreshnessIndex>(
    _ name: String, _ path: PartPath<Contents, Index>
  ) {
    guard Index.Entity.self == Entity.self else { return }
    func isSame<Ages: AgeIndex>(_ ages: Ages, _ other: Index) -> Bool {
      let id = recast(row, as: Ages.Entity.EntityID.self)
      return ages.receivedAt(id) == recast(other, as: Ages.self).receivedAt(id)
    }
    guard let ages = a[keyPath: path] as? any AgeIndex else { return }
    if !isSame(ages, b[keyPath: path]) { self.isSame = false }
  }
}

/// Collects the rows to remove with one row: the row itself, and the rows that the delete rules
/// remove with it. If one of these rows is kept, none of them is to be removed.
///
/// The rows are collected without recursion. The database is not changed.
final class EvictionRemoval<Contents: StorageContents> {
  private let search: EvictionSearch<Contents>
  /// The rows to remove.
  private let rows: Reachability<Contents>
  private var pending: [(EvictionRemoval) -> Void] = []
  /// Conditions that are checked after all rows are collected. A condition names rows whose
  /// references would forbid the removal, and requires that these rows are removed, too.
  private var conditions: [(EvictionRemoval) -> Bool] = []
  private var members: [any EvictedRow] = []
  private var isKept = false
  /// Whether the removal was planned without regard to other removals.
  private var isIndependent = true
  private var size = 0

  init(search: EvictionSearch<Contents>) {
    self.search = search
    rows = Reachability(search.snapshot, following: .keys)
  }

  /// Returns the removal of a row, and marks the removed rows in `search.gone`. Returns `nil` if
  /// one of the rows is kept or if a condition does not hold.
  func step<Entity: EntityType>(removing id: EntityIdentifier<Entity>) -> EvictionStep? {
    add(id)
    while !isKept, let next = pending.popLast() { next(self) }
    if isKept || !conditions.allSatisfy({ $0(self) }) { return nil }
    for member in members { member.mark(in: search.gone) }
    return EvictionStep(rows: members, size: size, isIndependent: isIndependent)
  }

  private func add<Entity: EntityType>(_ id: EntityIdentifier<Entity>) {
    if isRemoved(id) { return }
    if search.kept.rows(of: Entity.self).ids.contains(id) {
      isKept = true
      return
    }
    guard let row = search.snapshot.find(id) else { return }
    rows.rows(of: Entity.self).add(CollectionOfOne(id))
    size += search.budget.size(of: row)
    members.append(EvictedID(id: id))
    pending.append { removal in
      var rules = EvictionRules(removal: removal, snapshot: removal.search.snapshot, row: row)
      Contents.visitParts(&rules)
    }
  }

  func add<Entity: EntityType>(_ ids: [EntityIdentifier<Entity>]) { for id in ids { add(id) } }

  /// Adds the condition that all these rows are removed, too.
  func require<Entity: EntityType>(_ ids: [EntityIdentifier<Entity>]) {
    if ids.isEmpty { return }
    isIndependent = false
    conditions.append { removal in ids.allSatisfy { removal.isRemoved($0) } }
  }

  private func isRemoved<Entity: EntityType>(_ id: EntityIdentifier<Entity>) -> Bool {
    if rows.rows(of: Entity.self).ids.contains(id) { return true }
    let isGone = search.gone.rows(of: Entity.self).ids.contains(id)
    if isGone { isIndependent = false }
    return isGone
  }
}

/// Adds to a removal what the relationships of a row require: further rows, or conditions.
private struct EvictionRules<Contents: StorageContents, Entity: EntityType>: StorageVisitor {
  let removal: EvictionRemoval<Contents>
  let snapshot: Snapshot<Contents>
  let row: Entity

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {
    snapshot.withRelationship(at: path) { relationship in
      if let id = relationship.targetID(ofAny: row), relationship.isReferenced(id) {
        let holders = relationship.holderIDs(of: id)
        switch relationship.onDelete {
        case .cascade: removal.add(holders)
        case .deny: removal.require(holders)
        case .nullify:
          // Nullifying could leave a holder with fewer references than its limits allow.
          if relationship.countLimits != .any || relationship.isRequired {
            removal.require(holders)
          }
        case .keepDangling: if relationship.isRequired { removal.require(holders) }
        }
      }
      guard let targets = relationship.targetIDs(ofAny: row) else { return }
      if relationship.onHolderDelete == .cascade { removal.add(targets) }
      // Removing the row could leave a target with fewer holders than its limits allow.
      if relationship.holderLimits != .any {
        removal.require(targets.filter { snapshot.find($0) != nil })
      }
    }
  }
}
