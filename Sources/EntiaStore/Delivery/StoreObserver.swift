/// One observer of a store, called for one event after another, never for two at a time.
final class StoreObserver<State: Sendable, Activity: Sendable>: Sendable {
  typealias Event = StoreEvent<State, Activity>

  private struct Contents {
    /// `nil` once the subscription has ended.
    var receive: (@Sendable (Event) -> Void)?
    /// Whether the first delivery is under way, so that others have to wait for it.
    var isStarting: Bool
    var waiting = FirstInFirstOut<Event>()
  }

  let id: UInt64
  /// The last event that was posted before this observer came; it gets only later ones.
  private let since: UInt64
  private let contents: Protected<Contents>

  init(
    id: UInt64, since: UInt64, isStarting: Bool, receive: @escaping @Sendable (Event) -> Void
  ) {
    self.id = id
    self.since = since
    contents = Protected(Contents(receive: receive, isStarting: isStarting))
  }

  func deliver(_ posted: PostedEvent<State, Activity>) {
    guard posted.sequence > since, posted.addressee == nil || posted.addressee == id else { return }
    let receive = contents.withLock { contents -> (@Sendable (Event) -> Void)? in
      guard contents.isStarting, contents.receive != nil else { return contents.receive }
      contents.waiting.append(posted.event)
      return nil
    }
    receive?(posted.event)
  }

  /// Makes the first delivery right here, and those that other threads had to put aside meanwhile.
  func start(with first: Event) {
    var next: Event? = first
    while let event = next {
      contents.withLock { $0.receive }?(event)
      next = contents.withLock { contents in
        let waiting = contents.receive == nil ? nil : contents.waiting.popFirst()
        contents.isStarting = waiting != nil
        return waiting
      }
    }
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
