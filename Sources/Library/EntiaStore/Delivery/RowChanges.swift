/// The rows that one commit changed, compared once for all observers, and only in observed
/// databases.
final class RowChanges: Sendable {
  /// The IDs of the observers whose filters accept the changes.
  let filtered: [UInt64]
  private let keys: [DatabaseChangeDetector.ChangedKeys]
  private let comparison: Mutex<RowComparison>
  /// The versions, which the comparison does not retain.
  private let versions: [AnyStateVersion]

  /// Creates the changes of a commit that affects observers, or `nil` if its rows have not been
  /// compared. Runs no user code.
  init?(_ routing: borrowing RowRouting) {
    guard let comparison = routing.comparison else { return nil }
    filtered = routing.filtered
    keys = routing.keys
    self.comparison = Mutex(comparison)
    versions = [comparison.old, comparison.new]
  }

  /// The number of databases whose change sets have been computed.
  var changeSetCount: Int { comparison.withLock { $0.count } }

  /// Returns the keys of the changed rows of one database.
  func changedKeys(of detector: DatabaseChangeDetector) -> DatabaseChangeDetector.ChangedKeys {
    // An observer that was added after the commit may observe a database that was not compared.
    keys.first { $0.detector === detector } ?? compare { detector.changedKeys(in: &$0) }
  }

  /// Returns the change set of one database, which is computed when it is first needed.
  func changeSet(of detector: DatabaseChangeDetector) -> any Sendable {
    compare { $0.changeSet(of: detector) }
  }

  /// Returns whether a filter accepts the changes.
  func mayConcern(_ filter: RowChangeFilter) -> Bool { compare(filter.mayConcern) }

  /// Calls a function without the lock, because it runs user code, and keeps the change sets that
  /// it computes.
  private func compare<Result>(_ body: (inout RowComparison) -> Result) -> Result {
    var copy = comparison.withLock { $0 }
    let count = copy.count
    let result = body(&copy)
    if copy.count != count { comparison.withLock { $0.merge(copy) } }
    return result
  }
}
