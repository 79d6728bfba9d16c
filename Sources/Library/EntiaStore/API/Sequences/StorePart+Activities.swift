extension StorePart {
  /// The activities that are sent from now on, as an asynchronous sequence for one loop with
  /// unlimited buffering.
  ///
  /// ```swift
  /// for await activity in store.activities { … }
  /// ```
  ///
  /// The sequence ends with the store or when the loop's task is canceled.
  public var activities: AsyncStream<Activity> { activities(buffering: .unbounded) }

  /// Returns the activities that are sent from now on, as an asynchronous sequence for one loop.
  /// - Parameter buffering: The activities to buffer for a slow loop. Activities that exceed the
  ///   buffer are dropped.
  public func activities(buffering: StreamBuffering) -> AsyncStream<Activity> {
    let core = store.core
    return AsyncStream(buffering: buffering) { receive in
      core.observeActivities(on: DeliveryTarget.passthrough, receive: receive)
    }
  }
}

extension StorePart {
  /// Sends an activity to the observers of activities.
  ///
  /// The observers on one queue receive all activities in the order of sending. An activity is
  /// delivered after the state that was committed before it, or after a later state if the
  /// observers have fallen behind. An activity that is sent inside a commit is delivered after the
  /// state of that commit. If the commit throws, the activity is dropped.
  public func send(_ activity: Activity) {
    store.core.send(activity)
  }

  /// Calls a closure on the main actor with each activity sent from now on.
  ///
  /// - Parameters:
  ///   - queue: The queue of the main actor; by default, the closure is called immediately if
  ///     possible.
  ///   - receive: The closure.
  /// - Returns: The subscription, which ends when it is released.
  public func sinkActivity(
    queue: MainActorQueue = .main,
    receive: @escaping @MainActor @Sendable (Activity) -> Void
  ) -> StoreSubscription {
    store.core.observeActivities(on: queue.target) { activity in
      // Every `MainActorQueue` calls its observers on the main actor.
      MainActor.assumeIsolated { receive(activity) }
    }
  }

  /// Calls a closure on a queue with each activity sent from now on.
  ///
  /// - Parameters:
  ///   - queue: The queue on which the closure is called.
  ///   - receive: The closure.
  /// - Returns: The subscription, which ends when it is released.
  public func sinkActivity(
    queue: DeliveryQueue, receive: @escaping @Sendable (Activity) -> Void
  ) -> StoreSubscription {
    store.core.observeActivities(on: queue.target, receive: receive)
  }

  /// Calls a closure on an actor with each activity sent from now on.
  ///
  /// - Parameters:
  ///   - actor: The actor on which the closure is called; the subscription retains it.
  ///   - receive: Receives the actor and the activity.
  /// - Returns: The subscription, which ends when it is released.
  public func sinkActivity<Place: Actor>(
    on actor: Place, receive: @escaping @Sendable (isolated Place, Activity) -> Void
  ) -> StoreSubscription {
    store.core.observeActivities(on: .actor(actor)) { activity in
      // Deliveries to an actor run only on that actor.
      actor.assumeIsolated { receive($0, activity) }
    }
  }
}

/// The states of a store, or of a value derived from it, as an asynchronous sequence.
///
/// ```swift
/// for await state in store.states { … }
/// for await state in store.states(buffering: .unbounded) { … }
/// ```
///
/// Each loop begins with the current state. A loop ends with the store, or when the loop's task is
/// canceled. States for a slow loop coalesce according to the buffering. By default, only the
/// newest state is buffered.
public struct StoreStates<State: Sendable>: AsyncSequence, Sendable {
  let source: any StateSource<State>
  private let buffering: StreamBuffering

  init(_ source: any StateSource<State>, _ buffering: StreamBuffering = .newest(1)) {
    self.source = source
    self.buffering = buffering
  }

  /// Returns an iterator with its own subscription.
  public func makeAsyncIterator() -> AsyncStream<State>.Iterator {
    let source = source
    let stream = AsyncStream<State>(buffering: buffering) { receive in
      source.observe(on: .passthrough, dropsFirst: false) { state, _ in receive(state.value) }
    }
    return stream.makeAsyncIterator()
  }
}
