import EntiaCollections

/// The removals of a plan that are carried out in several batches, while other batches change the
/// database.
///
/// Rows that were kept at the start stay kept. Another batch can make more rows reachable only
/// through the rows that it writes, so the search continues from these.
package final class EvictionRun<Storage: NormalizedStorageType> {
  private let kept: Reachability<Storage.Contents>
  /// The version at which the plan began.
  private let start: Storage
  /// The version up to which changes are known.
  private var version: Storage
  private var steps: ArraySlice<EvictionStep>
  private let budget: EvictionBudget
  /// The size of that version.
  private var size: Int

  /// Creates a plan, as `plan(evictingDownTo:keeping:)` does.
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

  /// Whether all removals have been carried out.
  package var isEmpty: Bool { steps.isEmpty }

  /// Returns the next removals, or `nil` if something keeps one of their rows now. The later
  /// removals may then be denied, so that another plan is necessary. No removals are left when
  /// other batches, as those of other processes, have reduced the database to the budget.
  /// - Parameters:
  ///   - count: The number of removals.
  ///   - storage: The current version.
  ///   - roots: Returns the entities that are kept, if other batches have changed the database.
  /// - Complexity: O(*k* log *n*) in the numbers of removals, of rows written since the last call,
  ///   and of what these reach for the first time.
  package func next(
    _ count: Int, in storage: Storage, keeping roots: () -> [CollectionRoot]
  ) -> [EvictionStep]? {
    if !storage.snapshot.isIdentical(to: version.snapshot) {
      let changes = storage.changes(since: version)
      var growth = Growth(changes: changes, budget: budget)
      Storage.Contents.visitParts(&growth)
      size += growth.size
      if size <= budget.limit { steps = [] }
      kept.move(to: storage.snapshot)
      CollectionRoot.rows(writtenBy: changes, in: storage).mark.mark(in: kept)
      for root in roots() { root.mark.mark(in: kept) }
      var held = HeldRoots(reach: kept)
      Storage.Contents.visitParts(&held)
      kept.spread()
      version = storage
    }
    let next = Array(steps.prefix(count))
    let (before, now) = (start.snapshot, version.snapshot)
    let isCurrent = next.allSatisfy { step in
      step.rows.allSatisfy { !$0.isKept(in: kept) && $0.hasSameAge(in: now, asIn: before) }
    }
    return isCurrent ? next : nil
  }

  /// Records that removals have been carried out.
  /// - Parameters:
  ///   - count: Their number.
  ///   - storage: The version after them.
  package func noteRemoved(_ count: Int, in storage: Storage) {
    size -= steps.prefix(count).reduce(0) { $0 + $1.size }
    steps = steps.dropFirst(count)
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

  init(changes: StorageChangeSet<Storage>, budget: EvictionBudget) {
    self.changes = changes
    self.budget = budget
  }

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    let changes = changes.changes(of: Table.Entity.self)
    for row in changes.inserted { size += budget.size(of: row) }
    for update in changes.updated {
      size += budget.size(of: update.new) - budget.size(of: update.old)
    }
    for row in changes.removed { size -= budget.size(of: row) }
  }
}

extension EvictedID {
  func isKept<Contents: StorageContents>(in reach: Reachability<Contents>) -> Bool {
    reach.rows(of: Entity.self).ids.contains(id)
  }

  func hasSameAge<Contents: StorageContents>(
    in snapshot: Snapshot<Contents>, asIn other: Snapshot<Contents>
  ) -> Bool {
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
