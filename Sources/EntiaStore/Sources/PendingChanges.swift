/// The changes of a state that Observation has not been notified of, if anything was ever tracked.
///
/// While one thread notifies, others commit. A bounded number of their changes wait; then the
/// newest two become one, so that no more versions are kept however many commits there are
/// meanwhile.
@usableFromInline
final class PendingChanges: Sendable {
  struct Change: Sendable {
    let old: AnyStateVersion
    let new: AnyStateVersion
    /// Whether it is several changes. Together they may lead back to what was there before, and a
    /// value between may have been read.
    var isMerged = false
  }

  private struct Contents {
    var waiting = FIFOQueue<Change>()
    var isNotifying = false
    /// Whether any read has ever been tracked.
    var isUsed = false
  }

  /// The largest number of changes that wait.
  static let limit = 16

  private let contents = Mutex(Contents())

  /// Whether any read has ever been tracked.
  @usableFromInline var isUsed: Bool { contents.withLock { $0.isUsed } }

  /// The number of changes that wait.
  var count: Int { contents.withLock { $0.waiting.count } }

  /// Records that a read is tracked.
  func use() { contents.withLock { $0.isUsed = true } }

  /// Adds a change after the others.
  ///
  /// - Returns: Whether the caller is the one to notify of it.
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
    // Versions between are released without the lock.
    withExtendedLifetime(replaced) {}
    return isFirst
  }

  /// The next change to notify of, or `nil` when the caller is done.
  func next() -> Change? {
    contents.withLock { contents in
      let next = contents.waiting.popFirst()
      contents.isNotifying = next != nil
      return next
    }
  }
}
