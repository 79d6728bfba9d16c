/// Which rows an observer read in a version of the state, where that is not always the same.
struct RowReads: Sendable {
  let keys: [RowKey]
  let version: UInt64
}

/// One observer of a store, called for one event after another, never for two at a time.
final class StoreObserver: Sendable {
  typealias Receive = @Sendable (StoreEvent) -> RowReads?

  private struct Contents {
    /// `nil` once the subscription has ended.
    var receive: Receive?
    /// Whether the first delivery is under way, so that others have to wait for it.
    var isStarting: Bool
    /// What has changed meanwhile, as one change.
    var waiting: StoreEvent?
  }

  let id: UInt64
  /// The last event that was posted before this observer came; it gets only later ones.
  private let since: UInt64
  private let contents: Protected<Contents>

  init(id: UInt64, since: UInt64, isStarting: Bool, receive: @escaping Receive) {
    self.id = id
    self.since = since
    contents = Protected(Contents(receive: receive, isStarting: isStarting))
  }

  /// Calls the observer, or puts the event aside while the first delivery is under way.
  ///
  /// - Returns: What it read, if that is to be noted.
  func deliver(_ posted: PostedEvent) -> RowReads? {
    guard posted.sequence > since, posted.addressee == nil || posted.addressee == id else {
      return nil
    }
    let (receive, outgrown) = contents.withLock { contents -> (Receive?, StoreEvent?) in
      guard contents.isStarting, contents.receive != nil else { return (contents.receive, nil) }
      let outgrown = contents.waiting
      contents.waiting = outgrown?.coalesced(with: posted.event) ?? posted.event
      return (nil, outgrown)
    }
    withExtendedLifetime(outgrown) {}
    return receive?(posted.event)
  }

  /// Makes the first delivery right here, and those that other threads put aside meanwhile.
  ///
  /// - Parameters:
  ///   - first: The first event; `nil` to go on with those that were put aside.
  ///   - share: How many deliveries are made at most.
  /// - Returns: What it read, and whether nothing was left. What it read is filed only at the end:
  ///   events that are put aside were found by what it was filed under before.
  func start(with first: StoreEvent?, share: Int) -> (reads: RowReads?, isFinished: Bool) {
    var reads: RowReads?
    var next = first ?? nextWaiting()
    var calls = 0
    while let event = next {
      reads = contents.withLock { $0.receive }?(event) ?? reads
      calls += 1
      if calls >= share, contents.withLock({ $0.waiting != nil }) { return (reads, false) }
      next = nextWaiting()
    }
    return (reads, true)
  }

  /// Takes what was put aside, or ends the first delivery.
  private func nextWaiting() -> StoreEvent? {
    contents.withLock { contents in
      let waiting = contents.waiting.take()
      contents.isStarting = waiting != nil
      return waiting
    }
  }

  /// Ends the subscription: no call begins after this, and what the closure held is released.
  func end() {
    let dropped = contents.withLock { contents in
      let dropped = contents
      contents.receive = nil
      contents.waiting = nil
      return dropped
    }
    withExtendedLifetime(dropped) {}
  }
}
