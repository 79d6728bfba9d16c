/// A condition on changed rows under which an observer is notified.
///
/// For example, most changed rows sort after the result of a query with a limit, and do not affect
/// it.
struct RowChangeFilter: Sendable {
  /// Returns whether rows that differ between two versions of the state may affect the observer. It
  /// runs user code: it may be called while a commit lock is held, but never under the
  /// broadcaster's lock.
  let mayConcern: @Sendable (_ comparison: inout RowComparison) -> Bool
}

/// Filters by the IDs of their observers.
typealias RowChangeFilters = [UInt64: RowChangeFilter]
