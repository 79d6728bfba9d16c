/// The rows that one commit changed, compared once for all observers, and only in observed
/// databases.
final class RowChanges: Sendable {
  /// The databases, keys and filters of observers, for which changes are compared.
  struct Request {
    /// The observed databases.
    var detectors: [DatabaseChangeDetector] = []
    /// Whether observers are looked up by the keys of changed rows.
    var isKeyed = false
    /// The filters of the other observers, by delivery target.
    var filters: [RowChangeFilters] = []
    /// The revision of the delivery.
    var revision: UInt64 = 0
  }

  /// The IDs of the observers whose filters accept the changes.
  let filtered: [UInt64]
  /// The revision of the delivery state when the filters were read.
  let revision: UInt64
  private let comparison: RowComparison
  private let known: [RowComparison.Known]

  /// Creates the changes by comparing the rows of the databases, if observers are looked up by
  /// keys, and by calling the filters of the other observers.
  init(from old: AnyStateVersion, to new: AnyStateVersion, for request: Request) {
    let isShared = !request.isKeyed || !request.filters.isEmpty
    let comparison = RowComparison(from: old, to: new, isShared: isShared)
    self.comparison = comparison
    revision = request.revision
    known =
      request.isKeyed
      ? request.detectors.map { .init(detector: $0, changes: comparison.changes(of: $0)) } : []
    var filtered: [UInt64] = []
    for filters in request.filters {
      for (id, filter) in filters where filter.mayConcern(comparison) { filtered.append(id) }
    }
    self.filtered = filtered
  }

  /// Returns the changes of one database.
  func changes(of detector: DatabaseChangeDetector) -> DatabaseChangeDetector.Changes {
    // An observer that was added after the commit may observe a database that was not compared. For
    // observers with filters, databases are compared only when they need the changes.
    knownChanges(of: detector) ?? comparison.changes(of: detector)
  }

  /// Returns the changes of one database if observers were looked up by them. Runs no user code.
  func knownChanges(of detector: DatabaseChangeDetector) -> DatabaseChangeDetector.Changes? {
    RowComparison.find(detector, in: known)
  }

  /// Returns whether a filter accepts the changes.
  func mayConcern(_ filter: RowChangeFilter) -> Bool { filter.mayConcern(comparison) }
}
