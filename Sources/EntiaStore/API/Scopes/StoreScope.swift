/// A store seen through a part of its state: it reads, changes and observes that part only.
///
/// ```swift
/// let settings = store.scope(\.settings)
/// settings.commit { $0.isDark = true }             // a commit of the store
/// settings.sinkState { settings in … }             // called when the settings have changed
/// ```
///
/// It holds the store.
@dynamicMemberLookup
public final class StoreScope<Whole: Sendable, State: Sendable, Activity: Sendable>: Sendable {
  /// A pointer to the part.
  public let ref: Ref<State>
  /// The part as a value to be observed and derived from.
  public let current: Derived<State>
  let store: Store<Whole, Activity>
  let path: any WritableKeyPath<Whole, State> & Sendable

  init(
    _ store: Store<Whole, Activity>, _ path: any WritableKeyPath<Whole, State> & Sendable
  ) {
    self.store = store
    self.path = path
    ref = store.ref(path)
    current = store.derived(.select(path))
  }

  /// The part as it is; tracked by Observation.
  public var state: State { current.value }

  /// A part of the part.
  public subscript<Part>(dynamicMember path: KeyPath<State, Part>) -> Part {
    state[keyPath: path]
  }

  /// Changes the part, as ``Store/commit(_:_:)`` changes the whole.
  ///
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure; the state is then unchanged, and no observer is notified.
  @discardableResult
  public func commit<Result>(
    _ name: String? = nil, _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    try store.commit(name) { try body(&$0[keyPath: path]) }
  }

  /// Changes the part, and throws what a middleware refuses, as ``Store/tryCommit(_:_:)`` does.
  ///
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure or of a ``StoreMiddleware``; the state is then unchanged,
  ///   and no observer is notified.
  @discardableResult
  public func tryCommit<Result>(
    _ name: String? = nil, _ body: (inout State) throws -> Result
  ) throws -> Result {
    try store.tryCommit(name) { try body(&$0[keyPath: path]) }
  }

  /// Calls a closure on the main actor with the part and after each change of it.
  ///
  /// - Returns: The subscription, which ends when it is released.
  public func sinkState(
    queue: MainActorQueue = .main, dropsFirst: Bool = false,
    receive: @escaping @MainActor @Sendable (Changes<State>) -> Void
  ) -> StoreSubscription {
    current.sinkState(queue: queue, dropsFirst: dropsFirst, receive: receive)
  }

  /// Calls a closure on a queue with the part and after each change of it.
  ///
  /// - Returns: The subscription, which ends when it is released.
  public func sinkState(
    queue: DeliveryQueue, dropsFirst: Bool = false,
    receive: @escaping @Sendable (Changes<State>) -> Void
  ) -> StoreSubscription {
    current.sinkState(queue: queue, dropsFirst: dropsFirst, receive: receive)
  }

  /// Derives a value from the part.
  ///
  /// - Returns: A value that is computed again only when the part has changed.
  public func derived<Output>(_ derivation: Derivation<State, Output>) -> Derived<Output> {
    current.derived(derivation)
  }

  /// Tells the store's observers of activities that something happened.
  public func send(_ activity: Activity) { store.send(activity) }
}
