extension StateSource {
  /// Observes the source on an actor.
  func sink<Place: Actor>(
    on place: Place, dropsFirst: Bool,
    receive: @escaping @Sendable (isolated Place, Changes<Value>) -> Void
  ) -> StoreSubscription {
    observe(on: .actor(place), dropsFirst: dropsFirst) { current, previous in
      // Deliveries to an actor run only on that actor.
      place.assumeIsolated { receive($0, Changes(current, previous: previous)) }
    }
  }
}

extension Store {
  /// Calls a closure on an actor with the current state and after each change of it.
  ///
  /// ```swift
  /// store.sinkState(on: cache) { cache, state in cache.text = state.searchText }
  /// ```
  ///
  /// There is at most one call for each commit, and exactly one while the actor keeps up; the last
  /// call has the current state. Calls are always asynchronous, and never run while the actor
  /// executes other code.
  ///
  /// - Parameters:
  ///   - actor: The actor on which the closure is called. The subscription retains it.
  ///   - dropsFirst: Whether to omit the call with the current state.
  ///   - receive: A closure that is called with the actor and the state.
  /// - Returns: The subscription, which ends when it is released.
  public func sinkState<Place: Actor>(
    on actor: Place, dropsFirst: Bool = false,
    receive: @escaping @Sendable (isolated Place, Changes<State>) -> Void
  ) -> StoreSubscription {
    core.sink(on: actor, dropsFirst: dropsFirst, receive: receive)
  }

  /// Calls a closure on an actor with each activity sent from now on.
  ///
  /// - Parameters:
  ///   - actor: The actor on which the closure is called. The subscription retains it.
  ///   - receive: A closure that is called with the actor and the activity.
  /// - Returns: The subscription, which ends when it is released.
  public func sinkActivity<Place: Actor>(
    on actor: Place, receive: @escaping @Sendable (isolated Place, Activity) -> Void
  ) -> StoreSubscription {
    core.observeActivities(on: .actor(actor)) { activity in
      // Deliveries to an actor run only on that actor.
      actor.assumeIsolated { receive($0, activity) }
    }
  }
}

extension Derived {
  /// Calls a closure on an actor with the current value and after each change of it.
  ///
  /// - Parameters:
  ///   - actor: The actor on which the closure is called. The subscription retains it.
  ///   - dropsFirst: Whether to omit the call with the current value.
  ///   - receive: A closure that is called with the actor and the value.
  /// - Returns: The subscription, which ends when it is released.
  public func sinkState<Place: Actor>(
    on actor: Place, dropsFirst: Bool = false,
    receive: @escaping @Sendable (isolated Place, Changes<Value>) -> Void
  ) -> StoreSubscription {
    source.sink(on: actor, dropsFirst: dropsFirst, receive: receive)
  }
}
