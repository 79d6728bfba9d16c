/// The comparison of two versions of the state. The change set of a database is computed when it is
/// first needed, once for all that use the comparison.
///
/// It does not retain the versions, because that would take as long as comparing a row. Its owner
/// must retain them while it or a copy of it is used.
struct RowComparison: Sendable {
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

  /// The number of databases whose change sets have been computed.
  var count: Int { known.count }

  /// Returns the change set of a database. Must be called without a lock.
  mutating func changeSet(of detector: DatabaseChangeDetector) -> any Sendable {
    if let found = knownChangeSet(of: detector) { return found }
    let changeSet = detector.changeSet(from: old, to: new)
    known.append(Known(detector: detector, changeSet: changeSet))
    return changeSet
  }

  /// Returns the change set of a database if it has been computed.
  func knownChangeSet(of detector: DatabaseChangeDetector) -> (any Sendable)? {
    known.first { $0.detector === detector }?.changeSet
  }

  /// Adds the change sets that another comparison of the same versions has computed.
  mutating func merge(_ other: RowComparison) {
    for entry in other.known where knownChangeSet(of: entry.detector) == nil { known.append(entry) }
  }
}
