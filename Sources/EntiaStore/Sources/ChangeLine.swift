/// The changes of a state that Observation has still to be told, if it was ever asked about any.
@usableFromInline
final class ChangeLine: Sendable {
  struct Change: Sendable {
    let old: AnySnapshot
    let new: AnySnapshot
  }

  private struct Contents {
    var waiting = FirstInFirstOut<Change>()
    var isTelling = false
    /// Whether anything was ever read in a tracking.
    var isUsed = false
  }

  private let contents = Protected(Contents())

  /// Whether anything was ever read in a tracking.
  @usableFromInline var isUsed: Bool { contents.withLock { $0.isUsed } }

  /// Notes that something is read in a tracking.
  func use() { contents.withLock { $0.isUsed = true } }

  /// Puts a change at the end of the line; gives whether the caller is the one to tell it.
  func append(_ change: Change) -> Bool {
    contents.withLock { contents in
      guard contents.isUsed else { return false }
      contents.waiting.append(change)
      let isFirst = !contents.isTelling
      contents.isTelling = true
      return isFirst
    }
  }

  /// The next change to be told, or `nil` when the caller is done.
  func next() -> Change? {
    contents.withLock { contents in
      let next = contents.waiting.popFirst()
      contents.isTelling = next != nil
      return next
    }
  }
}
