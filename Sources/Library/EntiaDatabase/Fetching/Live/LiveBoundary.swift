/// Decides from a changed row alone whether the row can change the result of a live fetch.
///
/// A row can change the result only if the predicate accepts it. If some matching rows are not
/// loaded, a further condition is that the row does not sort after the last loaded row.
///
/// `Sendable` is unchecked because of the pointer `last`. The initializer writes the row at this
/// address, and nothing changes the row until `deinit`.
package final class LiveBoundary<Entity: EntityType>: @unchecked Sendable {
  private let query: LiveFetchQuery<Entity>
  /// The last loaded row; `nil` if all matching rows are loaded.
  private let last: UnsafeMutablePointer<Entity>?

  /// Creates the boundary of a result.
  ///
  /// - Parameters:
  ///   - query: The query. Its `isLocal` must be `true`. If `last` is not `nil`, its `isTotal` must
  ///     also be `true`.
  ///   - last: The last loaded row, or `nil` if all matching rows are loaded.
  init(_ query: LiveFetchQuery<Entity>, last: Entity?) {
    self.query = query
    self.last = last.map {
      let memory = UnsafeMutablePointer<Entity>.allocate(capacity: 1)
      memory.initialize(to: $0)
      return memory
    }
  }

  deinit {
    last?.deinitialize(count: 1)
    last?.deallocate()
  }

  /// Whether a row may be among the loaded rows.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - work: The counters to increase.
  /// - Complexity: One comparison, and one evaluation of the predicate for a row that does not sort
  ///   after the last loaded row.
  package func mayContain(_ row: UnsafePointer<Entity>, _ work: inout LiveWork) -> Bool {
    if let last, let order = query.order {
      work.comparisons += 1
      if order.compare(last, row) < 0 { return false }
    }
    if !query.isFiltered { return true }
    work.rowsExamined += 1
    return query.mayAccept(row)
  }
}

/// The number of entities that a fetch returns, updated from change sets. It stores no entities.
package struct LiveCount<Storage: NormalizedStorageType, Entity: EntityType>: LiveResult {
  private let query: LiveFetchQuery<Entity>
  /// The number of matches, regardless of limit and offset. For a query that is not incremental,
  /// such as a page or a search, it is the number of entities that the fetch returns.
  private var total = 0

  package init(_ descriptor: FetchDescriptor<Entity>, in storage: Storage) {
    // The order decides which entities are in the result, not how many.
    query = LiveFetchQuery(descriptor.unsorted)
    boundary = query.isLocal && query.isFiltered ? LiveBoundary(query, last: nil) : nil
    count(in: storage)
  }

  package var value: Int {
    guard query.isIncremental else { return total }
    let rest = max(0, total - query.offset)
    return query.descriptor.fetchLimit.map { min(max(0, $0), rest) } ?? rest
  }

  package var step: LiveFetchStep? { nil }

  package let boundary: LiveBoundary<Entity>?

  package mutating func advance(
    from old: Storage, to new: Storage, changes: LiveChanges<Storage>?,
    rows differing: DifferingRows<Storage, Entity>, work: inout LiveWork
  ) -> LiveOutcome {
    if old.snapshot.isIdentical(to: new.snapshot) { return .same }
    let before = value
    if query.isIncremental {
      guard let table = new.snapshot.table(of: Entity.self) else { return .same }
      var edit = LiveFetchEdit(query: query, table: table, from: old, to: new)
      edit.collect(changes, from: old, to: new)
      work.rowsExamined += edit.rowsExamined
      total += edit.surplus
    } else {
      work.fetches += 1
      count(in: new)
    }
    return value == before ? .same : .different
  }

  private mutating func count(in storage: Storage) {
    var descriptor = query.descriptor
    if query.isIncremental {
      descriptor.fetchLimit = nil
      descriptor.fetchOffset = nil
    }
    total = storage.fetchCount(descriptor)
  }
}

/// The work of keeping results current, in counters.
package struct LiveWork: Equatable, Sendable {
  /// The number of rows for which the predicate was evaluated.
  package var rowsExamined = 0
  /// The number of comparisons of two rows.
  package var comparisons = 0
  /// The number of times the whole result was fetched again.
  package var fetches = 0

  package init() {}

  package mutating func add(_ other: LiveWork) {
    rowsExamined += other.rowsExamined
    comparisons += other.comparisons
    fetches += other.fetches
  }
}

/// The comparison of a result with the previous one.
package enum LiveOutcome: Sendable {
  /// The results are equal.
  case same
  /// The results differ.
  case different
  /// It is not known whether the results differ, so the caller must compare them.
  case uncertain
}
