/// A subscription of an observer. It ends when this object is released or canceled, or with the
/// store.
///
/// When it ends, no further call begins and the observer's closure is released, even if this
/// happens inside the closure itself. A call in progress on another thread is completed. For
/// observers on the main actor no call can be in progress when the main actor ends the
/// subscription.
public final class StoreSubscription: Sendable {
  private struct Contents {
    weak var owner: (any SubscriptionOwner)?
  }

  /// The owner of a subscription to something other than a store.
  private final class ExternalSource: SubscriptionOwner {
    private let action: @Sendable () -> Void

    init(_ action: @escaping @Sendable () -> Void) { self.action = action }

    func end(_ id: UInt64) { action() }
    func keep(_ subscription: StoreSubscription, _ id: UInt64) {}
  }

  private let id: UInt64
  private let contents: Mutex<Contents>
  /// The only strong reference to the owner, if the source is not a store.
  private let source: ExternalSource?

  init(id: UInt64, owner: any SubscriptionOwner) {
    self.id = id
    contents = Mutex(Contents(owner: owner))
    source = nil
  }

  /// Creates a subscription to something other than a store; see
  /// ``Ref/init(get:set:addObserver:)``.
  ///
  /// - Parameter onEnd: A closure that ends the observation. It is called once, when the
  ///   subscription is released or canceled.
  public init(onEnd: @escaping @Sendable () -> Void) {
    let source = ExternalSource(onEnd)
    id = 0
    contents = Mutex(Contents(owner: source))
    self.source = source
  }

  deinit {
    cancel()
  }

  /// Ends the subscription immediately; does nothing if it has already ended.
  public func cancel() {
    takeOwner()?.end(id)
  }

  /// Keeps the subscription active as long as its source store exists, without another strong
  /// reference.
  ///
  /// A subscription to a derived value is retained by the underlying store, and retains the derived
  /// value.
  ///
  /// - Returns: The subscription itself, which can be used to cancel it earlier.
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

/// The source of a subscription.
protocol SubscriptionOwner: AnyObject, Sendable {
  func end(_ id: UInt64)
  func keep(_ subscription: StoreSubscription, _ id: UInt64)
}
