import Observation

/// The object that Observation tracks in place of the individually read rows of a store.
///
/// There are no subscriptions for rows: tracked rows are looked up by their keys in the changes of
/// a commit. A row is in `reads` at least as long as a tracked read of the row is pending.
/// Observation retains the key path of a pending read, and `reads` refers to the key path weakly.
/// This reference is therefore `nil` if no read of the row is pending.
final class RowTracking: Observable, Sendable {
  private struct Reads {
    weak var path: KeyPath<RowTracking, Void>?
  }

  private struct Contents {
    /// The pending reads, by row.
    var reads: [RowKey: Reads] = [:]
    /// When `reads` has more elements than this, the rows without a pending read are removed.
    var limit = 16
    var detectors: [DatabaseChangeDetector] = []
    /// When `detectors` has more elements than this, the databases without tracked rows are
    /// removed.
    var detectorLimit = 16

    /// Removes the databases that have no rows in `reads`. Returns the previous `detectors`, to be
    /// released without the lock.
    mutating func removeUnreadDetectors() -> [DatabaseChangeDetector] {
      let former = detectors
      let read = Set(reads.keys.map(\.detector))
      detectors = detectors.filter { read.contains(ObjectIdentifier($0)) }
      detectorLimit = max(16, 2 * detectors.count)
      return former
    }
  }

  private let pendingChanges: PendingChanges
  private let registrar = ObservationRegistrar()
  private let contents = Mutex(Contents())

  init(_ pendingChanges: PendingChanges) { self.pendingChanges = pendingChanges }

  /// The subscript to which the tracked key paths lead. Its value is never read.
  private subscript(key: RowKey) -> Void { () }

  /// The rows with a pending read.
  var keys: [RowKey] {
    contents.withLock { $0.reads.filter { $0.value.path != nil }.map { $0.key } }
  }

  var count: Int { contents.withLock { $0.reads.count } }

  /// The number of listed databases, whose rows are tracked.
  var detectorCount: Int { contents.withLock { $0.detectors.count } }

  var isTracked: Bool { TrackingProbe.shared.isTracked(by: registrar) }

  /// Registers a read of some rows with Observation; called before the read.
  ///
  /// - Returns: Whether the read is tracked.
  func registerRead(_ rows: RowObserverIndex.ObservedRows) -> Bool {
    guard isTracked else { return false }
    pendingChanges.use()
    var dropped: [DatabaseChangeDetector] = []
    let paths = contents.withLock { contents in
      for detector in rows.detectors where !contents.detectors.contains(where: { $0 === detector })
      {
        contents.detectors.append(detector)
      }
      let paths = rows.keys.map { key in
        let path = contents.reads[key]?.path ?? \.[key]
        contents.reads[key] = Reads(path: path)
        return path
      }
      if contents.reads.count > contents.limit {
        contents.reads = contents.reads.filter { $0.value.path != nil }
        contents.limit = max(16, 2 * contents.reads.count)
      }
      if contents.detectors.count > contents.detectorLimit {
        dropped = contents.removeUnreadDetectors()
      }
      return paths
    }
    // Databases are released without the lock.
    withExtendedLifetime(dropped) {}
    for path in paths { registrar.access(self, keyPath: path) }
    return true
  }

  /// Notifies the readers of changed rows; must be called without a lock.
  func changed(from old: AnyStateVersion, to new: AnyStateVersion) {
    let detectors = contents.withLock { $0.reads.isEmpty ? [] : $0.detectors }
    if detectors.isEmpty { return }
    var comparison = RowVersionComparison(from: old, to: new)
    let keys = detectors.flatMap { $0.changedKeys(in: &comparison).all }
    if keys.isEmpty { return }
    notify(contents.withLock { contents in keys.filter { contents.reads[$0] != nil } })
  }

  /// Notifies the readers of all rows; called without a lock.
  func mayHaveChanged() { notify(contents.withLock { Array($0.reads.keys) }) }

  private func notify(_ tracked: [RowKey]) {
    for key in tracked { notify(key) }
    contents.release { contents -> [DatabaseChangeDetector] in
      for key in tracked where contents.reads[key]?.path == nil { contents.reads[key] = nil }
      // Listed databases are compared at each commit, so the list is emptied when no row is listed.
      defer { if contents.reads.isEmpty { contents.detectors = [] } }
      return contents.detectors
    }
  }

  private func notify(_ key: RowKey) {
    guard let path = contents.withLock({ $0.reads[key]?.path }) else { return }
    registrar.willSet(self, keyPath: path)
    registrar.didSet(self, keyPath: path)
  }
}

/// The changes of a state that Observation has not been notified of. They are recorded only after
/// the first tracked read.
///
/// While one thread notifies, other threads may commit. Their changes wait in a queue of bounded
/// length. When the queue is full, a new change is merged with the newest waiting change, so that
/// the number of retained versions is bounded.
@usableFromInline
final class PendingChanges: Sendable {
  struct Change: Sendable {
    let old: AnyStateVersion
    let new: AnyStateVersion
    /// Whether several changes were merged into this one. A part may then be equal in both versions
    /// although a tracked read returned a different value between them.
    var isMerged = false
  }

  private struct Contents {
    var waiting = FIFOQueue<Change>()
    var isNotifying = false
    /// Whether any read has ever been tracked.
    var isUsed = false
  }

  static let limit = 16

  private let contents = Mutex(Contents())

  /// Whether any read has ever been tracked.
  @usableFromInline var isUsed: Bool { contents.withLock { $0.isUsed } }

  var count: Int { contents.withLock { $0.waiting.count } }

  func use() { contents.withLock { $0.isUsed = true } }

  /// Appends a change.
  ///
  /// - Returns: Whether the caller has to notify Observation, because no other thread does.
  func append(_ change: Change) -> Bool {
    let (isFirst, replaced) = contents.withLock { contents -> (Bool, Change?) in
      guard contents.isUsed else { return (false, nil) }
      var last: Change?
      if contents.waiting.count >= Self.limit { last = contents.waiting.popLast() }
      contents.waiting.append(
        last.map { Change(old: $0.old, new: change.new, isMerged: true) } ?? change)
      let isFirst = !contents.isNotifying
      contents.isNotifying = true
      return (isFirst, last)
    }
    // The replaced change may hold the last reference to a version, so it is released without the
    // lock.
    withExtendedLifetime(replaced) {}
    return isFirst
  }

  /// Removes and returns the next change for Observation. If there is none, returns `nil` and ends
  /// the notification.
  func next() -> Change? {
    contents.withLock { contents in
      let next = contents.waiting.popFirst()
      contents.isNotifying = next != nil
      return next
    }
  }
}
