extension StoreScope {

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
