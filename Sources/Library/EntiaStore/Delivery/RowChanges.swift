import EntiaCollections

/// The rows that one commit changed in observed databases, compared once for all observers.
final class RowChanges: Sendable {
  /// The IDs of the observers whose filters accept the changes.
  let filtered: Set<UInt64>
  private let keys: [DatabaseChangeDetector.ChangedKeys]
  private let comparison: Mutex<RowVersionComparison>
  /// The compared versions. They are retained here, because the comparison does not retain them.
  private let versions: [AnyStateVersion]

  /// Creates the changes of a commit from its `RowRouting`, by which the commit found the affected
  /// observers. Returns `nil` if the rows have not been compared. Runs no user code.
  init?(_ routing: borrowing RowRouting) {
    guard let comparison = routing.comparison else { return nil }
    filtered = routing.filtered
    keys = routing.keys
    self.comparison = Mutex(comparison)
    versions = [comparison.old, comparison.new]
  }

  var changeSetCount: Int { comparison.withLock { $0.count } }

  func changedKeys(of detector: DatabaseChangeDetector) -> DatabaseChangeDetector.ChangedKeys {
    // An observer that was added after the commit may observe a database that was not compared.
    keys.first { $0.detector === detector } ?? compare { detector.changedKeys(in: &$0) }
  }

  /// Returns the change set of one database, which is computed when it is first needed.
  func changeSet(of detector: DatabaseChangeDetector) -> any Sendable {
    compare { $0.changeSet(of: detector) }
  }

  func mayConcern(_ filter: RowChangeFilter) -> Bool { compare(filter) }

  /// Calls a function with a copy of the comparison. The function runs user code, so the lock is
  /// not held meanwhile. Keeps the change sets that the function computes.
  private func compare<Result>(_ body: (inout RowVersionComparison) -> Result) -> Result {
    var copy = comparison.withLock { $0 }
    let count = copy.count
    let result = body(&copy)
    if copy.count != count { comparison.withLock { $0.merge(copy) } }
    return result
  }
}

/// Returns whether the rows that differ between two versions of the state may affect an observer.
///
/// For example, a filter may reject rows that sort after the result of a query with a limit,
/// because these rows do not affect the result.
///
/// A filter runs user code. It must therefore not be called under the broadcaster's lock, but it
/// may be called under a commit lock.
typealias RowChangeFilter = @Sendable (_ comparison: inout RowVersionComparison) -> Bool

/// The filters of observers. The key of each filter is the ID of the observer.
typealias RowChangeFilters = [UInt64: RowChangeFilter]

/// The rows that an observer read in a version of the state. The closure of an observer returns a
/// value of this type only if these rows may differ from the rows that the observer read before.
struct RowReads: Sendable {
  var keys: [RowKey] = []
  /// The filter that accepts or rejects changes, used instead of keys.
  var filter: RowChangeFilter?
  let version: UInt64
}

/// The keys of changed rows and the results of filters, by which a commit finds the affected
/// observers.
///
/// Only the committing thread uses a routing. If the commit affects observers of rows, which most
/// commits do not, the routing is converted to a `RowChanges` for other threads. A routing is not
/// copyable, because copies would take longer than the comparison.
struct RowRouting: ~Copyable {
  /// The databases, keys and filters of observers, for which changes are compared.
  struct Request {
    var detectors: [DatabaseChangeDetector] = []
    /// Whether observers are looked up by the keys of changed rows.
    var isKeyed = false
    /// The filters of the observers that are not looked up by keys, by the slot of the queue.
    var filters: [Int: RowChangeFilters] = [:]
    /// The revision of the delivery state when the request was made.
    var revision: UInt64 = 0
  }

  /// The IDs of the observers whose filters accept the changes.
  private(set) var filtered: Set<UInt64> = []
  /// The revision of the delivery state when the filters were read.
  let revision: UInt64
  /// The keys of the changed rows, by database, if observers are looked up by keys.
  private(set) var keys: [DatabaseChangeDetector.ChangedKeys] = []
  /// The comparison of the rows, or `nil` if they have not been compared.
  let comparison: RowVersionComparison?

  /// Creates the routing of a commit whose rows have not been compared.
  init() {
    revision = 0
    comparison = nil
  }

  var isCompared: Bool { comparison != nil }

  /// Compares the rows of the databases if observers are looked up by keys, and calls the filters
  /// of `request`. Must be called without a lock.
  init(from old: AnyStateVersion, to new: AnyStateVersion, for request: Request) {
    revision = request.revision
    var comparison = RowVersionComparison(from: old, to: new)
    if request.isKeyed { keys = request.detectors.map { $0.changedKeys(in: &comparison) } }
    for filters in request.filters.values {
      for (id, filter) in filters where filter(&comparison) { filtered.insert(id) }
    }
    self.comparison = comparison
  }

  /// Returns whether the routing is complete for a request. A routing without a comparison is
  /// complete only for a request without databases. If observers of the request are looked up by
  /// keys, the routing must contain the keys of each database of the request.
  func covers(_ request: Request) -> Bool {
    if !isCompared { return request.detectors.isEmpty }
    if !request.isKeyed { return true }
    return request.detectors.allSatisfy { detector in
      keys.contains { $0.detector === detector }
    }
  }

  /// Returns whether a condition holds for any key. The condition must not run user code.
  func containsKey(where condition: (RowKey) -> Bool) -> Bool {
    keys.contains { $0.contains(where: condition) }
  }
}

/// A key under which observers of rows are registered.
///
/// An ID is represented by its hash, so that a lookup under the store's lock runs no user code. A
/// collision only causes an observer to check its own row unnecessarily.
enum RowKey: Hashable, Sendable {
  /// One row of a table, present or missing.
  case row(detector: ObjectIdentifier, entity: ObjectIdentifier, idHash: UInt64)
  /// Any row of a table, or the order of its rows.
  case table(detector: ObjectIdentifier, entity: ObjectIdentifier)
  /// The rows of a table that have, or had, a certain value in an observed field.
  case field(
    detector: ObjectIdentifier, entity: ObjectIdentifier, field: ObjectIdentifier, valueHash: Int)
  /// Any change of the ages and answers of received rows.
  case freshness(detector: ObjectIdentifier)
  case database(detector: ObjectIdentifier)

  var detector: ObjectIdentifier {
    switch self {
    case .row(let detector, _, _), .table(let detector, _), .field(let detector, _, _, _),
      .freshness(let detector), .database(let detector):
      detector
    }
  }

  /// Returns the hash that a dictionary with the given seed uses. One multiplication suffices,
  /// because the hashed bits are already a random hash, or are the address of one of few objects.
  func _rawHashValue(seed: Int) -> Int {
    Int(truncatingIfNeeded: HashMixing.hash(bits, seed: UInt64(truncatingIfNeeded: seed)))
  }

  func hash(into hasher: inout Hasher) { hasher.combine(bits) }

  /// The value that distinguishes most keys. Only this value is hashed, because hashing runs under
  /// the lock. `==` compares the other values.
  private var bits: UInt64 {
    switch self {
    case .row(_, _, let idHash): idHash
    case .table(_, let entity): UInt64(UInt(bitPattern: entity))
    case .field(_, _, _, let valueHash): UInt64(truncatingIfNeeded: valueHash)
    case .freshness(let detector), .database(let detector): UInt64(UInt(bitPattern: detector))
    }
  }
}

/// The comparison of two versions of the state. The change set of a database is computed once, when
/// it is first needed.
///
/// The comparison does not retain the versions, because that would take as long as comparing a row.
/// The owner of the comparison must retain the versions while the comparison or a copy is used.
struct RowVersionComparison: Sendable {
  private struct Known: Sendable {
    let detector: DatabaseChangeDetector
    let changeSet: any Sendable
  }

  unowned(unsafe) let old: AnyStateVersion
  unowned(unsafe) let new: AnyStateVersion
  private var known: [Known] = []

  init(from old: AnyStateVersion, to new: AnyStateVersion) {
    self.old = old
    self.new = new
  }

  var count: Int { known.count }

  /// Returns the change set of a database. Must be called without a lock.
  mutating func changeSet(of detector: DatabaseChangeDetector) -> any Sendable {
    if let found = knownChangeSet(of: detector) { return found }
    let changeSet = detector.changeSet(from: old, to: new)
    known.append(Known(detector: detector, changeSet: changeSet))
    return changeSet
  }

  func knownChangeSet(of detector: DatabaseChangeDetector) -> (any Sendable)? {
    known.first { $0.detector === detector }?.changeSet
  }

  /// Adds the change sets that another comparison of the same versions has computed.
  mutating func merge(_ other: RowVersionComparison) {
    for entry in other.known where knownChangeSet(of: entry.detector) == nil { known.append(entry) }
  }
}
