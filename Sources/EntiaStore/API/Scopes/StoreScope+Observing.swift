extension StoreScope {
  /// The values of the part from now on, the current one first; a slow reader receives the newest.
  public var states: StoreStates<State> { current.states }

  /// Calls a closure on an actor with the part and after each change of it.
  ///
  /// - Parameters:
  ///   - actor: The actor on which the closure is called. The subscription retains it.
  ///   - dropsFirst: Whether to omit the call with the current part.
  ///   - receive: A closure that is called with the actor and the part.
  /// - Returns: The subscription, which ends when it is released.
  public func sinkState<Place: Actor>(
    on actor: Place, dropsFirst: Bool = false,
    receive: @escaping @Sendable (isolated Place, Changes<State>) -> Void
  ) -> StoreSubscription {
    current.sinkState(on: actor, dropsFirst: dropsFirst, receive: receive)
  }

  /// Calls a closure on the main actor with each activity of the store sent from now on.
  ///
  /// - Returns: The subscription, which ends when it is released.
  public func sinkActivity(
    queue: MainActorQueue = .main, receive: @escaping @MainActor @Sendable (Activity) -> Void
  ) -> StoreSubscription {
    store.sinkActivity(queue: queue, receive: receive)
  }

  /// Calls a closure on a queue with each activity of the store sent from now on.
  ///
  /// - Returns: The subscription, which ends when it is released.
  public func sinkActivity(
    queue: DeliveryQueue, receive: @escaping @Sendable (Activity) -> Void
  ) -> StoreSubscription {
    store.sinkActivity(queue: queue, receive: receive)
  }

  /// Calls a closure on an actor with each activity of the store sent from now on.
  ///
  /// - Returns: The subscription, which ends when it is released.
  public func sinkActivity<Place: Actor>(
    on actor: Place, receive: @escaping @Sendable (isolated Place, Activity) -> Void
  ) -> StoreSubscription {
    store.sinkActivity(on: actor, receive: receive)
  }
}
