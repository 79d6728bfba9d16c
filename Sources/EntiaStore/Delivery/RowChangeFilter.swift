/// A condition on changed rows under which an observer is notified.
///
/// An observer of the first rows of a sort order has one: most changed rows sort after them.
struct RowChangeFilter: Sendable {
  /// Whether rows that differ between two versions of the state may affect the observer. It is
  /// called under a commit lock and without a lock.
  let mayConcern: @Sendable (_ comparison: RowComparison) -> Bool
}

/// Filters by the IDs of their observers.
typealias RowChangeFilters = [UInt64: RowChangeFilter]
