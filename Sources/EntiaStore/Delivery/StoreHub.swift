/// The part of a store that need not know what its state is: which version is the current one, who
/// observes it, and what is on its way to them.
final class StoreHub: Sendable {
  struct Contents {
    var current: AnySnapshot
    var board = DeliveryBoard()
    /// Subscriptions that live as long as the store.
    var kept: [UInt64: StoreSubscription] = [:]
    var isEnded = false
  }

  let contents: Protected<Contents>

  let problems: ProblemLog

  init(_ initial: AnySnapshot, _ problems: ProblemLog) {
    self.problems = problems
    contents = Protected(Contents(current: initial))
  }

  var current: AnySnapshot {
    contents.withLock { $0.current }
  }

  /// Swaps in a new version, if there is one, and posts it and what was sent with it.
  ///
  /// The caller holds the old version, so it is not released under the lock.
  func publish(_ next: AnySnapshot?, after old: AnySnapshot, _ activities: [AnySentActivity]) {
    let rows = next.flatMap { compareRows($0, after: old) }
    contents.withLock { contents in
      if let next {
        contents.current = next
        contents.board.post(.state(next, previous: old, rows: rows))
      }
      for activity in activities { contents.board.post(.activity(activity)) }
    }
  }

  /// Compares the rows that are observed, in the turn of the commit and without the lock.
  private func compareRows(_ next: AnySnapshot, after old: AnySnapshot) -> RowChanges {
    let rows = RowChanges(from: old, to: next)
    for feed in contents.withLock({ $0.board.observedFeeds }) { _ = rows.changes(of: feed) }
    return rows
  }

  /// Posts an activity.
  func publish(_ activity: AnySentActivity) {
    contents.withLock { $0.board.post(.activity(activity)) }
  }

  /// Returns when everything that has been posted so far has been delivered.
  func waitForDelivery() async {
    await withCheckedContinuation { continuation in
      let milestone = Milestone { continuation.resume() }
      // It is let go of without the lock, also where nothing is on its way.
      withExtendedLifetime(milestone) {
        contents.withLock { $0.board.post(.milestone(milestone)) }
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
