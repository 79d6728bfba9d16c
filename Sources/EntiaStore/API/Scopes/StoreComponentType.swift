/// A type with a store, such as a view model. It forwards the store's methods.
///
/// ```swift
/// final class Counter: StoreComponentType {
///   struct State: Equatable { var count = 0 }
///   let store: Store<State, Never> = .init(initialState: .init())
///   func increment() { commit { $0.count += 1 } }
/// }
/// ```
public protocol StoreComponentType<State, Activity> {
  /// The state of the store.
  associatedtype State: Sendable
  /// The type of the activities that the store sends.
  associatedtype Activity: Sendable

  /// The store to which calls are forwarded.
  var store: Store<State, Activity> { get }
}

extension StoreComponentType {
  /// The current state of the store; inside a commit, the previous state.
  public var state: State { store.state }

  /// Changes the state of the store, like ``Store/commit(_:_:)``.
  ///
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure; the state is then unchanged, and no observer is notified.
  @discardableResult
  public func commit<Result>(
    _ name: String? = nil, _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    try store.commit(name, body)
  }

  /// Changes the state of the store, like ``Store/tryCommit(_:_:)``.
  ///
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure or of a ``StoreMiddleware``; the state is then unchanged,
  ///   and no observer is notified.
  @discardableResult
  public func tryCommit<Result>(
    _ name: String? = nil, _ body: (inout State) throws -> Result
  ) throws -> Result {
    try store.tryCommit(name, body)
  }

  /// Calls a closure on the main actor with the current state and after each change of it.
  ///
  /// - Returns: The subscription, which ends when it is released.
  public func sinkState(
    queue: MainActorQueue = .main, dropsFirst: Bool = false,
    receive: @escaping @MainActor @Sendable (Changes<State>) -> Void
  ) -> StoreSubscription {
    store.sinkState(queue: queue, dropsFirst: dropsFirst, receive: receive)
  }

  /// Calls a closure on a queue with the current state and after each change of it.
  ///
  /// - Returns: The subscription, which ends when it is released.
  public func sinkState(
    queue: DeliveryQueue, dropsFirst: Bool = false,
    receive: @escaping @Sendable (Changes<State>) -> Void
  ) -> StoreSubscription {
    store.sinkState(queue: queue, dropsFirst: dropsFirst, receive: receive)
  }

  /// Sends an activity to the store's observers of activities.
  public func send(_ activity: Activity) {
    store.send(activity)
  }

  /// Calls a closure on the main actor with each activity sent from now on.
  ///
  /// - Returns: The subscription, which ends when it is released.
  public func sinkActivity(
    queue: MainActorQueue = .main,
    receive: @escaping @MainActor @Sendable (Activity) -> Void
  ) -> StoreSubscription {
    store.sinkActivity(queue: queue, receive: receive)
  }

  /// Calls a closure on a queue with each activity sent from now on.
  ///
  /// - Returns: The subscription, which ends when it is released.
  public func sinkActivity(
    queue: DeliveryQueue, receive: @escaping @Sendable (Activity) -> Void
  ) -> StoreSubscription {
    store.sinkActivity(queue: queue, receive: receive)
  }

  /// Returns a value derived from the state, like ``Store/derived(_:)``.
  ///
  /// - Returns: A derived value, computed on demand.
  public func derived<Output>(_ derivation: Derivation<State, Output>) -> Derived<Output> {
    store.derived(derivation)
  }
}
