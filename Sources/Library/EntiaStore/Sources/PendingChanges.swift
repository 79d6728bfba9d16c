/// The changes of a state of which Observation has not been notified yet. They are recorded only
/// after the first tracked read.
///
/// While one thread notifies, other threads may commit. Their changes wait in a queue of bounded
/// length. When it is full, a new change is merged with the newest waiting one, so that the number
/// of retained versions is bounded.
@usableFromInline
final class PendingChanges: Sendable {
  struct Change: Sendable {
    let old: AnyStateVersion
    let new: AnyStateVersion
    /// Whether several changes were merged into this one. A part may then be equal in both versions
    /// although a tracked read returned a value between them.
    var isMerged = false
  }

  private struct Contents {
    var waiting = FIFOQueue<Change>()
    var isNotifying = false
    /// Whether any read has ever been tracked.
    var isUsed = false
  }

  /// The maximum number of waiting changes.
  static let limit = 16

  private let contents = Mutex(Contents())

  /// Whether any read has ever been tracked.
  @usableFromInline var isUsed: Bool { contents.withLock { $0.isUsed } }

  /// The number of waiting changes.
  var count: Int { contents.withLock { $0.waiting.count } }

  /// Records that a read is tracked.
  func use() { contents.withLock { $0.isUsed = true } }

  /// Appends a change.
  ///
  /// - Returns: Whether the caller has to notify of the changes, because no other thread does.
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
    // The version between merged changes is released without the lock.
    withExtendedLifetime(replaced) {}
    return isFirst
  }

  /// Removes and returns the next change to notify of. If there is none, returns `nil` and ends the
  /// notification.
  func next() -> Change? {
    contents.withLock { contents in
      let next = contents.waiting.popFirst()
      contents.isNotifying = next != nil
      return next
    }
  }
}
