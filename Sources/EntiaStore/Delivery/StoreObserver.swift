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
    var waiting = FirstInFirstOut<StoreEvent>()
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

  /// Gives what it read, if that is to be noted.
  func deliver(_ posted: PostedEvent) -> RowReads? {
    guard posted.sequence > since, posted.addressee == nil || posted.addressee == id else {
      return nil
    }
    let receive = contents.withLock { contents -> Receive? in
      guard contents.isStarting, contents.receive != nil else { return contents.receive }
      contents.waiting.append(posted.event)
      return nil
    }
    return receive?(posted.event)
  }

  /// Makes the first delivery right here, and those that other threads had to put aside meanwhile.
  ///
  /// What it read is given only at the end: events that are put aside were found by what it was
  /// filed under before.
  func start(with first: StoreEvent) -> RowReads? {
    var next: StoreEvent? = first
    var reads: RowReads?
    while let event = next {
      reads = contents.withLock { $0.receive }?(event) ?? reads
      next = contents.withLock { contents in
        let waiting = contents.receive == nil ? nil : contents.waiting.popFirst()
        contents.isStarting = waiting != nil
        return waiting
      }
    }
    return reads
  }

  /// Ends the subscription: no call begins after this, and what the closure held is released.
  func end() {
    let dropped = contents.withLock { contents in
      let dropped = contents
      contents.receive = nil
      contents.waiting = FirstInFirstOut()
      return dropped
    }
    withExtendedLifetime(dropped) {}
  }
}
