import Observation

/// What Observation tracks in place of the rows of a store: each that has been read by itself.
///
/// Nothing is subscribed for a row: it is found by its key among what a commit changed.
final class RowTracking: Observable, Sendable {
  private struct Contents {
    /// The rows that were read, and how often each has changed since.
    var changes: [RowKey: Int] = [:]
    var feeds: [RowFeed] = []
  }

  private static let probe: any KeyPath<RowTracking, Void> & Sendable = \.[ReadProbe()]

  private let line: ChangeLine
  private let registrar = ObservationRegistrar()
  private let contents = Protected(Contents())

  init(_ line: ChangeLine) { self.line = line }

  /// Something for paths to lead to; read by nobody.
  private subscript(key: RowKey) -> Void { () }
  private subscript(probe: ReadProbe) -> Void { () }

  /// How many rows are tracked.
  var count: Int { contents.withLock { $0.changes.count } }

  /// Whether somebody tracks what this thread reads.
  var isNoted: Bool { ReadProbe.isNoted { registrar.access(self, keyPath: Self.probe) } }

  /// Notes that some rows are about to be read.
  func willRead(_ rows: RowAudience.Interest) {
    guard isNoted else { return }
    line.use()
    contents.withLock { contents in
      for key in rows.keys { contents.changes[key] = 0 }
      for feed in rows.feeds where !contents.feeds.contains(where: { $0 === feed }) {
        contents.feeds.append(feed)
      }
    }
    for key in rows.keys { registrar.access(self, keyPath: place(of: key)) }
  }

  /// Tells those who have read rows that are different now; called without a lock.
  func changed(from old: AnySnapshot, to new: AnySnapshot) {
    let feeds = contents.withLock { $0.changes.isEmpty ? [] : $0.feeds }
    let keys = feeds.flatMap { $0.changes(from: old, to: new).keys }
    if keys.isEmpty { return }
    let tracked = contents.withLock { contents in
      keys.filter { key in
        guard let changes = contents.changes[key] else { return false }
        // The first change may have come between the reading and the tracking of it.
        contents.changes[key] = changes == 0 ? 1 : nil
        return true
      }
    }
    for key in tracked {
      registrar.willSet(self, keyPath: place(of: key))
      registrar.didSet(self, keyPath: place(of: key))
    }
  }

  private func place(of key: RowKey) -> KeyPath<RowTracking, Void> { \.[key] }
}

/// Rows whose readers are told of by the rows' keys.
struct TrackedRows: ReadTracking {
  let tracking: RowTracking
  let rows: RowAudience.Interest

  var isNoted: Bool { tracking.isNoted }
  func willRead(_ source: any StateSource) { tracking.willRead(rows) }
  func end() {}
}
