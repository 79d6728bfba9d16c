/// An observer's tie to what it observes: it ends when this is released or canceled, or with the
/// store.
///
/// When it ends, no further call begins and the observer's closure is released, also when that
/// happens inside the closure itself. A call that is already under way on another thread is
/// finished; for observers on the main actor there is none when the main actor ends it.
public final class StoreSubscription: Sendable {
  private struct Contents {
    weak var owner: (any SubscriptionOwner)?
  }

  private let id: UInt64
  private let contents: Protected<Contents>

  init(id: UInt64, owner: any SubscriptionOwner) {
    self.id = id
    contents = Protected(Contents(owner: owner))
  }

  deinit {
    cancel()
  }

  /// Ends the subscription now; once it has ended, does nothing.
  public func cancel() {
    takeOwner()?.end(id)
  }

  /// Keeps the subscription alive for as long as the store it comes from, so that nobody else has
  /// to hold it.
  ///
  /// A subscription to a derived value is kept by the store behind it, and keeps the derived
  /// value alive.
  ///
  /// - Returns: The subscription itself, for those who want to cancel it earlier.
  @discardableResult
  public func storeWhileSourceActive() -> StoreSubscription {
    contents.withLock { $0.owner }?.keep(self, id)
    return self
  }

  private func takeOwner() -> (any SubscriptionOwner)? {
    contents.withLock { contents in
      let owner = contents.owner
      contents.owner = nil
      return owner
    }
  }
}

/// What a subscription comes from, as the subscription sees it.
protocol SubscriptionOwner: AnyObject, Sendable {
  func end(_ id: UInt64)
  func keep(_ subscription: StoreSubscription, _ id: UInt64)
}
