/// The result of a fetch, updated from change sets instead of fetched again.
///
/// A changed row is searched for in the result only if it matches, or matched before the change.
/// With a limit, some rows beyond the limit are kept, so that they can replace removed rows without
/// a fetch.
package struct LiveFetch<Storage: NormalizedStorageType, Entity: EntityType>: LiveResult {
  let query: LiveFetchQuery<Entity>
  /// The first matching rows in the order of the fetch; all of them when `isComplete`.
  private(set) var rows: [Entity] = []
  private(set) var isComplete = true
  package private(set) var step: LiveFetchStep?
  package private(set) var boundary: LiveBoundary<Entity>?

  package init(_ descriptor: FetchDescriptor<Entity>, in storage: Storage) {
    self.query = LiveFetchQuery(descriptor)
    fetch(in: storage)
    setBoundary()
  }

  /// The entities that the fetch returns in the version of the last update.
  package var entities: [Entity] {
    // Returning the whole array copies nothing.
    range == rows.indices ? rows : Array(rows[range])
  }

  /// The number of entities that the fetch returns in the version of the last update.
  package var count: Int { range.count }

  private var range: Range<Int> { range(of: rows.count) }

  /// Returns the positions of the rows within offset and limit, for a number of loaded rows.
  private func range(of count: Int) -> Range<Int> {
    let start = min(query.offset, count)
    let length = query.descriptor.fetchLimit.map { max(0, $0) } ?? .max
    return start..<start + min(length, count - start)
  }

  package var value: [Entity] { entities }

  package mutating func advance(
    from old: Storage, to new: Storage, changes: LiveChanges<Storage>?,
    rows differing: DifferingRows<Storage, Entity>, work: inout LiveWork
  ) -> LiveOutcome {
    step = nil
    if old.snapshot.isIdentical(to: new.snapshot) { return .same }
    guard query.isIncremental else {
      if query.isUnchangedSearch(from: old, to: new) { return .same }
      work.fetches += 1
      fetch(in: new)
      return .uncertain
    }
    if let boundary {
      var crossing = LiveWork()
      let isCrossed = differing.contains(from: old.version, to: new.version) {
        boundary.mayContain($0, &crossing)
      }
      work.add(crossing)
      if !isCrossed { return .same }
    }
    guard let table = new.snapshot.table(of: Entity.self) else { return .same }
    var edit = LiveFetchEdit(query: query, table: table, from: old, to: new)
    // The table's order matters only without a sort, or when IDs do not break the sort's ties.
    edit.collect(changes, from: old, to: new, isOrdered: !query.isTotal)
    let outcome = apply(edit, in: new, &work)
    if outcome != .same { setBoundary() }
    return outcome
  }

  private mutating func setBoundary() {
    boundary = nil
    guard query.isLocal, query.isTotal else { return }
    if isComplete {
      if query.isFiltered { boundary = LiveBoundary(query, last: nil) }
    } else if let last = rows.last {
      boundary = LiveBoundary(query, last: last)
    }
  }

  private mutating func apply(
    _ edit: LiveFetchEdit<Entity>, in storage: Storage, _ work: inout LiveWork
  ) -> LiveOutcome {
    var edit = edit
    work.rowsExamined += edit.rowsExamined
    if edit.isEmpty { return .same }
    if edit.isScattered {
      work.fetches += 1
      fetch(in: storage)
      return .uncertain
    }
    let oldCount = rows.count
    let shown = range(of: oldCount)
    let wasComplete = isComplete
    let step = edit.apply(to: &rows, isComplete: isComplete)
    if query.wanted == nil, query.offset == 0 { self.step = step }
    work.comparisons += edit.comparisons
    if !isComplete, let wanted = query.wanted, rows.count < wanted {
      work.fetches += 1
      fetch(in: storage)
    } else if let kept = query.kept, rows.count > 2 * kept {
      rows.removeLast(rows.count - kept)
      isComplete = false
    }
    // If neither the old nor the new result leaves out rows, every inserted, removed or updated row
    // changes the result.
    if edit.isCertain, wasComplete, isComplete, shown == 0..<oldCount, range == rows.indices {
      return .different
    }
    // If the offset or the limit leaves out rows, the result changes for certain only if two
    // conditions are met: a changed row is within the offset and the limit, and the order of the
    // result does not depend on the order of the table.
    let isShown =
      step.left.contains(where: shown.contains) || step.came.contains(where: range.contains)
    return edit.isCertain && query.isTotal && isShown ? .different : .uncertain
  }

  private mutating func fetch(in storage: Storage) {
    var descriptor = query.descriptor
    guard query.isIncremental else {
      rows = storage.fetch(query.descriptor)
      return
    }
    descriptor.fetchOffset = nil
    descriptor.fetchLimit = query.kept
    rows = storage.fetch(descriptor)
    isComplete = query.kept.map { rows.count < $0 } ?? true
  }
}

/// The changes since a version.
package struct LiveChanges<Storage: NormalizedStorageType> {
  let since: Storage
  let set: StorageChangeSet<Storage>

  package init(since: Storage, set: StorageChangeSet<Storage>) {
    self.since = since
    self.set = set
  }
}

/// The difference between the result of a live fetch and the previous result.
///
/// A row that stays in the result with another value or position is in both `left` and `came`. The
/// rows in neither of these lists keep their relative order.
package struct LiveFetchStep: Sendable {
  /// The old positions of the rows that left the result, ascending.
  package let left: [Int]
  /// The new positions of the rows that entered the result, ascending.
  package let came: [Int]
}

/// The result of a fetch, updated from change sets instead of fetched again.
///
/// It stores a result but no version, so the caller of `advance` passes the version that the result
/// belongs to.
package protocol LiveResult: Sendable {
  associatedtype Storage: NormalizedStorageType
  associatedtype Entity: EntityType
  associatedtype Value: Equatable & Sendable

  /// Creates the result with a fetch.
  init(_ descriptor: FetchDescriptor<Entity>, in storage: Storage)

  /// The result.
  var value: Value { get }

  /// The difference between the results before and after the last call of `advance`; `nil` when it
  /// is not known.
  var step: LiveFetchStep? { get }

  /// The boundary that a changed row must cross to change the result; `nil` if any changed row may
  /// change it.
  var boundary: LiveBoundary<Entity>? { get }

  /// Updates the result to another version.
  ///
  /// - Parameters:
  ///   - old: A version in which the fetch returns the current result.
  ///   - new: The version to update to.
  ///   - changes: The changes to `new` and the version at which they begin, if they are known.
  ///   - differing: The visitor of the rows that differ between two versions.
  ///   - work: The counters to increase.
  /// - Returns: The comparison of the result with the previous one.
  mutating func advance(
    from old: Storage, to new: Storage, changes: LiveChanges<Storage>?,
    rows differing: DifferingRows<Storage, Entity>, work: inout LiveWork
  ) -> LiveOutcome
}
