extension Store {
  /// Tells observers of activities that something happened.
  ///
  /// Every activity reaches the observers on a queue, in the order in which they were sent. It comes
  /// after the state that was committed before it, or after a later one where the observers are
  /// behind. An activity sent inside a commit comes after the state of that commit, and not at all
  /// when the commit throws.
  public func send(_ activity: Activity) {
    core.send(activity)
  }

  /// Calls a closure on the main actor with each activity sent from now on.
  ///
  /// - Parameter queue: When the main actor is told; at once where possible, unless you say
  ///   otherwise.
  /// - Returns: The subscription, which ends when it is released.
  public func sinkActivity(
    queue: MainActorQueue = .main,
    receive: @escaping @MainActor @Sendable (Activity) -> Void
  ) -> StoreSubscription {
    core.observeActivities(on: queue.target) { activity in
      // Both kinds of main actor queue deliver only on the main actor.
      MainActor.assumeIsolated { receive(activity) }
    }
  }

  /// Calls a closure on a queue with each activity sent from now on.
  ///
  /// - Parameter queue: Where the closure is called.
  /// - Returns: The subscription, which ends when it is released.
  public func sinkActivity(
    queue: DeliveryQueue, receive: @escaping @Sendable (Activity) -> Void
  ) -> StoreSubscription {
    core.observeActivities(on: queue.target, receive: receive)
  }
}
