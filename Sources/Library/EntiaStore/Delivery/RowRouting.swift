/// The keys and the filters by which one commit finds the observers of rows that it affects.
///
/// Only the committing thread uses it. Most commits affect no observer of rows, and share nothing
/// with other threads. It cannot be copied, because copies would take longer than the comparison.
struct RowRouting: ~Copyable {
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
  private(set) var filtered: [UInt64] = []
  /// The revision of the delivery state when the filters were read.
  let revision: UInt64
  /// The keys of the databases whose observers are looked up by them.
  private(set) var keys: [DatabaseChangeDetector.ChangedKeys] = []
  /// The comparison of the rows, or `nil` if they have not been compared.
  let comparison: RowComparison?

  /// Creates the routing of a commit whose rows have not been compared.
  init() {
    revision = 0
    comparison = nil
  }

  /// Whether the rows have been compared.
  var isCompared: Bool { comparison != nil }

  /// Compares the rows of the databases, if observers are looked up by keys, and calls the filters
  /// of the other observers. Must be called without a lock.
  init(from old: AnyStateVersion, to new: AnyStateVersion, for request: Request) {
    revision = request.revision
    var comparison = RowComparison(from: old, to: new)
    if request.isKeyed { keys = request.detectors.map { $0.changedKeys(in: &comparison) } }
    for filters in request.filters {
      for (id, filter) in filters where filter.mayConcern(&comparison) { filtered.append(id) }
    }
    self.comparison = comparison
  }

  /// Whether a condition holds for any key of a database, or the keys of the database are not
  /// known. The condition may run no user code.
  func mayContain(
    _ detector: DatabaseChangeDetector, where condition: (RowKey) -> Bool
  ) -> Bool {
    for index in keys.indices where keys[index].detector === detector {
      return keys[index].contains(where: condition)
    }
    return true
  }
}
