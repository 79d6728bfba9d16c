import Observation

/// The object that Observation tracks in place of the rows of a store: each row that has been read
/// individually.
///
/// There are no subscriptions for rows: tracked rows are looked up by their keys in the changes of
/// a commit. A row is listed as long as a tracked read of it is pending, which a weak reference to
/// the key path shows: Observation retains the key path meanwhile.
final class RowTracking: Observable, Sendable {
  private struct Reads {
    weak var path: KeyPath<RowTracking, Void>?
  }

  private struct Contents {
    /// The pending reads, by row.
    var reads: [RowKey: Reads] = [:]
    /// The number of rows at which those without a pending read are removed.
    var limit = 16
    var feeds: [RowFeed] = []
    /// The number of databases at which those without a read are removed.
    var feedLimit = 16

    /// Keeps the databases of the rows that are read; returns those that were listed before.
    mutating func keepReadFeeds() -> [RowFeed] {
      let former = feeds
      let read = Set(reads.keys.map(\.feed))
      feeds = feeds.filter { read.contains(ObjectIdentifier($0)) }
      feedLimit = max(16, 2 * feeds.count)
      return former
    }
  }

  private static let probe: any KeyPath<RowTracking, Void> & Sendable = \.[ReadProbe()]

  private let line: ChangeLine
  private let registrar = ObservationRegistrar()
  private let contents = Protected(Contents())

  init(_ line: ChangeLine) { self.line = line }

  /// The targets of key paths; never read.
  private subscript(key: RowKey) -> Void { () }
  private subscript(probe: ReadProbe) -> Void { () }

  /// The number of tracked rows.
  var count: Int { contents.withLock { $0.reads.count } }

  /// The number of listed databases, whose rows are tracked.
  var feedCount: Int { contents.withLock { $0.feeds.count } }

  /// Whether Observation tracks what this thread reads.
  var isNoted: Bool { ReadProbe.isNoted { registrar.access(self, keyPath: Self.probe) } }

  /// Registers a read of some rows, which follows.
  ///
  /// - Returns: Whether the read is tracked.
  func willRead(_ rows: RowAudience.Interest) -> Bool {
    guard isNoted else { return false }
    line.use()
    var dropped: [RowFeed] = []
    let paths = contents.withLock { contents in
      for feed in rows.feeds where !contents.feeds.contains(where: { $0 === feed }) {
        contents.feeds.append(feed)
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
      if contents.feeds.count > contents.feedLimit { dropped = contents.keepReadFeeds() }
      return paths
    }
    // A database is forgotten without the lock.
    withExtendedLifetime(dropped) {}
    for path in paths { registrar.access(self, keyPath: path) }
    return true
  }

  /// Notifies the readers of changed rows; must be called without a lock.
  func changed(from old: AnySnapshot, to new: AnySnapshot) {
    let feeds = contents.withLock { $0.reads.isEmpty ? [] : $0.feeds }
    let keys = feeds.flatMap { $0.changes(from: old, to: new).keys }
    if keys.isEmpty { return }
    notify(contents.withLock { contents in keys.filter { contents.reads[$0] != nil } })
  }

  /// Notifies the readers of all rows; called without a lock.
  func mayHaveChanged() { notify(contents.withLock { Array($0.reads.keys) }) }

  private func notify(_ tracked: [RowKey]) {
    for key in tracked { notify(key) }
    let dropped = contents.withLock { contents -> [RowFeed] in
      for key in tracked where contents.reads[key]?.path == nil { contents.reads[key] = nil }
      // Databases are compared at each commit, so only while rows of them are tracked.
      defer { if contents.reads.isEmpty { contents.feeds = [] } }
      return contents.feeds
    }
    withExtendedLifetime(dropped) {}
  }

  private func notify(_ key: RowKey) {
    guard let path = contents.withLock({ $0.reads[key]?.path }) else { return }
    registrar.willSet(self, keyPath: path)
    registrar.didSet(self, keyPath: path)
  }
}

/// Rows whose readers are found by the keys of the rows.
struct TrackedRows: ReadTracking {
  let tracking: RowTracking
  let rows: RowAudience.Interest

  var isNoted: Bool { tracking.isNoted }
  func addHolder() {}
  func willRead(_ source: any StateSource) -> Bool { tracking.willRead(rows) }
  func removeHolder() {}
}
