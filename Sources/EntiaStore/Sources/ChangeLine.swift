/// The queue of state changes of which Observation has not been notified, if it has ever tracked a
/// read.
@usableFromInline
final class ChangeLine: Sendable {
  struct Change: Sendable {
    let old: AnySnapshot
    let new: AnySnapshot
  }

  private struct Contents {
    var waiting = FirstInFirstOut<Change>()
    var isTelling = false
    /// Whether any read has ever been tracked.
    var isUsed = false
  }

  private let contents = Protected(Contents())

  /// Whether any read has ever been tracked.
  @usableFromInline var isUsed: Bool { contents.withLock { $0.isUsed } }

  /// Records that a read is tracked.
  func use() { contents.withLock { $0.isUsed = true } }

  /// Appends a change, and returns whether the caller must send the notifications.
  func append(_ change: Change) -> Bool {
    contents.withLock { contents in
      guard contents.isUsed else { return false }
      contents.waiting.append(change)
      let isFirst = !contents.isTelling
      contents.isTelling = true
      return isFirst
    }
  }

  /// Removes and returns the next change, or returns `nil` if the caller is done.
  func next() -> Change? {
    contents.withLock { contents in
      let next = contents.waiting.popFirst()
      contents.isTelling = next != nil
      return next
    }
  }
}
