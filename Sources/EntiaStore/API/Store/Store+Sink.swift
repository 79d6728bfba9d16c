extension Store {
  /// Calls a closure on the main actor with the current state and after each change of it.
  ///
  /// There is at most one call for each commit, and exactly one while the closure keeps up; the
  /// last call has the current state. A closure that falls behind is called with the newest state.
  /// The first call has no `previous`; on the main actor it is made before this method returns.
  ///
  /// - Parameters:
  ///   - queue: The queue of the main actor; by default, the closure is called immediately if
  ///     possible.
  ///   - dropsFirst: Whether to omit the call with the current state.
  /// - Returns: The subscription, which ends when it is released.
  public func sinkState(
    queue: MainActorQueue = .main, dropsFirst: Bool = false,
    receive: @escaping @MainActor @Sendable (Changes<State>) -> Void
  ) -> StoreSubscription {
    core.sink(on: queue, dropsFirst: dropsFirst, receive: receive)
  }

  /// Calls a closure on a queue with the current state and after each change of it.
  ///
  /// There is at most one call for each commit, and exactly one while the closure keeps up; the
  /// last call has the current state. A closure that falls behind is called with the newest state.
  /// The first call has no `previous`; with ``DeliveryQueue/passthrough`` it is made before this
  /// method returns.
  ///
  /// - Parameters:
  ///   - queue: The queue on which the closure is called.
  ///   - dropsFirst: Whether to omit the call with the current state.
  /// - Returns: The subscription, which ends when it is released.
  public func sinkState(
    queue: DeliveryQueue, dropsFirst: Bool = false,
    receive: @escaping @Sendable (Changes<State>) -> Void
  ) -> StoreSubscription {
    core.sink(on: queue, dropsFirst: dropsFirst, receive: receive)
  }
}
