/// The part of a store that need not know what its state is: which version is the current one, who
/// observes it, and what is on its way to them.
@usableFromInline
final class StoreHub: Sendable {
  struct Contents {
    var current: AnySnapshot
    var board = DeliveryBoard()
    /// Subscriptions that live as long as the store.
    var kept: [UInt64: StoreSubscription] = [:]
    var isEnded = false

    /// Swaps in a new version, and posts it and what was sent with it.
    ///
    /// - Returns: Whether the caller has something to deliver, and what must be released without the
    ///   lock.
    mutating func swap(
      in next: AnySnapshot, after old: AnySnapshot, rows: RowChanges?,
      _ activities: [AnySentActivity]
    ) -> (mustDeliver: Bool, outgrown: [StoreEvent]) {
      current = next
      if board.isEmpty { return (false, []) }
      let thread = ThreadIdentity.current
      let outgrown = board.post(.state(next, previous: old, rows: rows), by: thread)
      for activity in activities { _ = board.post(.activity(activity), by: thread) }
      return (board.isUnattended, outgrown)
    }
  }

  let contents: Protected<Contents>

  let problems: ProblemLog
  /// The values that are observed for tracked reads alone.
  let unheldTrackings = UnheldTrackings()

  init(_ initial: AnySnapshot, _ problems: ProblemLog) {
    self.problems = problems
    contents = Protected(Contents(current: initial))
  }

  /// The version of the current state.
  var version: UInt64 { contents.withLock { $0.current.version } }

  @usableFromInline var current: AnySnapshot {
    contents.withLock { $0.current }
  }

  /// Swaps in a new version, and posts it and what was sent with it.
  ///
  /// The caller has the turn and holds the old version, so it is not released under the lock.
  ///
  /// - Returns: Whether there is something to deliver.
  @usableFromInline
  func publish(
    _ next: AnySnapshot, after old: AnySnapshot, _ activities: [AnySentActivity]
  ) -> Bool {
    // Where no rows have to be compared, one look under the lock is enough.
    let (feeds, lastID, swapped) = contents.withLock { contents in
      let feeds = contents.board.comparedFeeds
      return (
        feeds, contents.board.lastID,
        feeds.isEmpty ? contents.swap(in: next, after: old, rows: nil, activities) : nil
      )
    }
    if let swapped { return withExtendedLifetime(swapped) { swapped.mustDeliver } }
    // Rows are compared in the turn of the commit and without the lock.
    let rows = RowChanges(from: old, to: next, of: feeds)
    let last = contents.withLock { contents in
      // An observer that was added meanwhile may look for rows that were not compared for it.
      let isComplete = contents.board.lastID == lastID
      return contents.swap(in: next, after: old, rows: isComplete ? rows : nil, activities)
    }
    return withExtendedLifetime(last) { last.mustDeliver }
  }

  /// Posts an activity.
  func publish(_ activity: AnySentActivity) {
    let outgrown = contents.withLock { $0.board.post(.activity(activity), by: .current) }
    withExtendedLifetime(outgrown) {}
  }

  /// Returns when everything that has been posted so far has been delivered.
  func waitForDelivery() async {
    await withCheckedContinuation { continuation in
      let milestone = Milestone { continuation.resume() }
      // It is let go of without the lock, also where nothing is on its way.
      withExtendedLifetime(milestone) {
        _ = contents.withLock { $0.board.post(.milestone(milestone), by: .current) }
      }
      deliver()
    }
  }

  /// Ends every subscription, because the store is gone.
  func end() {
    let (channels, kept) = contents.withLock { contents in
      let kept = contents.kept
      contents.kept = [:]
      contents.isEnded = true
      return (contents.board.removeAll(), kept)
    }
    for channel in channels {
      for observer in channel.allObservers { observer.end() }
    }
    withExtendedLifetime((channels, kept)) {}
  }
}
