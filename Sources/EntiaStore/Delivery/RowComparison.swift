/// The differences of databases between two versions of the state, each compared when it is first
/// needed, once for all observers.
final class RowComparison: Sendable {
  struct Known: Sendable {
    let detector: DatabaseChangeDetector
    let changes: DatabaseChangeDetector.Changes
  }

  let old: AnyStateVersion
  let new: AnyStateVersion
  /// `nil` if every database is compared in advance, which needs no lock.
  private let known: Mutex<[Known]>?

  init(from old: AnyStateVersion, to new: AnyStateVersion, isShared: Bool) {
    self.old = old
    self.new = new
    known = isShared ? Mutex([]) : nil
  }

  /// Returns the changes of one database. Must be called without a lock.
  func changes(of detector: DatabaseChangeDetector) -> DatabaseChangeDetector.Changes {
    guard let known else { return detector.changes(from: old, to: new) }
    if let found = known.withLock({ Self.find(detector, in: $0) }) { return found }
    let changes = detector.changes(from: old, to: new)
    return known.withLock { known in
      if let found = Self.find(detector, in: known) { return found }
      known.append(Known(detector: detector, changes: changes))
      return changes
    }
  }

  static func find(_ detector: DatabaseChangeDetector, in known: [Known]) -> DatabaseChangeDetector
    .Changes?
  {
    known.first { $0.detector === detector }?.changes
  }
}
