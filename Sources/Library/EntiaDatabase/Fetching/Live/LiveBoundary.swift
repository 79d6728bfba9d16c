/// Decides from a changed row alone whether it can change the result of a live fetch.
///
/// A row can change the result only if the predicate accepts it. If not all matching rows are
/// loaded, it must also not sort after the last loaded row.
///
/// Sendable although it holds a pointer: the row in its memory is written once, by the initializer.
package final class LiveBoundary<Entity: EntityType>: @unchecked Sendable {
  private let query: LiveFetchQuery<Entity>
  /// The last loaded row; `nil` if all matching rows are loaded.
  private let last: UnsafeMutablePointer<Entity>?

  /// Creates the boundary of a result.
  ///
  /// - Parameters:
  ///   - query: The fetch. Its `isLocal` must be `true`, and `isTotal` too if there is a last row.
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
