extension StateObservable {
  /// Calls a closure on the main actor with the current state, and again after each change.
  ///
  /// The closure is called at most once for each commit, exactly once if it keeps up, and its last
  /// call receives the current state. If it falls behind, its next call receives the newest state.
  /// The first call has no `previous`. On the main actor, the first call is made before this method
  /// returns.
  ///
  /// - Parameters:
  ///   - dropsFirst: Whether to omit the call with the current state.
  ///   - queue: The queue of the main actor; by default, the closure is called immediately if
  ///     possible.
  ///   - receive: A closure that receives the state.
  /// - Returns: The subscription, which ends when it is released.
  public func sinkState(
    dropsFirst: Bool = false, queue: MainActorQueue = .main,
    receive: @escaping @MainActor @Sendable (Changes<State>) -> Void
  ) -> StoreSubscription {
    source.sink(on: queue, dropsFirst: dropsFirst, receive: receive)
  }

  /// Calls a closure on a queue with the current state, and again after each change.
  ///
  /// The closure is called at most once for each commit, exactly once if it keeps up, and its last
  /// call receives the current state. If it falls behind, its next call receives the newest state.
  /// The first call has no `previous`. With ``DeliveryQueue/passthrough``, it is made before this
  /// method returns.
  ///
  /// - Parameters:
  ///   - dropsFirst: Whether to omit the call with the current state.
  ///   - queue: The queue on which the closure is called.
  ///   - receive: A closure that receives the state.
  /// - Returns: The subscription, which ends when it is released.
  public func sinkState(
    dropsFirst: Bool = false, queue: DeliveryQueue,
    receive: @escaping @Sendable (Changes<State>) -> Void
  ) -> StoreSubscription {
    source.sink(on: queue, dropsFirst: dropsFirst, receive: receive)
  }

  /// Calls a closure on an actor with the current state, and again after each change.
  ///
  /// ```swift
  /// store.sinkState(on: cache) { cache, state in cache.text = state.searchText }
  /// ```
  ///
  /// The closure is called at most once for each commit, exactly once if the actor keeps up, and
  /// its last call receives the current state. All calls are asynchronous, and isolated to the
  /// actor.
  ///
  /// - Parameters:
  ///   - dropsFirst: Whether to omit the call with the current state.
  ///   - actor: The actor on which the closure is called; the subscription retains it.
  ///   - receive: A closure that receives the actor and the state.
  /// - Returns: The subscription, which ends when it is released.
  public func sinkState<Place: Actor>(
    dropsFirst: Bool = false, on actor: Place,
    receive: @escaping @Sendable (isolated Place, Changes<State>) -> Void
  ) -> StoreSubscription {
    source.sink(on: actor, dropsFirst: dropsFirst, receive: receive)
  }

  /// Calls a closure on the main actor with the current state and a scan's accumulated value, and
  /// again after each change.
  ///
  /// - Parameters:
  ///   - scan: The scan. Its value is accumulated for this observer alone.
  ///   - dropsFirst: Whether to omit the call with the current state.
  ///   - queue: The queue of the main actor; by default, the closure is called immediately if
  ///     possible.
  ///   - receive: A closure that receives the state and the accumulated value.
  /// - Returns: The subscription, which ends when it is released.
  public func sinkState<Accumulated: Sendable>(
    scan: Scan<Changes<State>, Accumulated>, dropsFirst: Bool = false,
    queue: MainActorQueue = .main,
    receive: @escaping @MainActor @Sendable (Changes<State>, Accumulated) -> Void
  ) -> StoreSubscription {
    let memory = ScanAccumulator(scan)
    return sinkState(dropsFirst: dropsFirst, queue: queue) { receive($0, memory.add($0)) }
  }

  /// Calls a closure on a queue with the current state and a scan's accumulated value, and again
  /// after each change.
  ///
  /// - Parameters:
  ///   - scan: The scan. Its value is accumulated for this observer alone.
  ///   - dropsFirst: Whether to omit the call with the current state.
  ///   - queue: The queue on which the closure is called.
  ///   - receive: A closure that receives the state and the accumulated value.
  /// - Returns: The subscription, which ends when it is released.
  public func sinkState<Accumulated: Sendable>(
    scan: Scan<Changes<State>, Accumulated>, dropsFirst: Bool = false, queue: DeliveryQueue,
    receive: @escaping @Sendable (Changes<State>, Accumulated) -> Void
  ) -> StoreSubscription {
    let memory = ScanAccumulator(scan)
    return sinkState(dropsFirst: dropsFirst, queue: queue) { receive($0, memory.add($0)) }
  }

  /// Writes the current state to a pointer, and again after each change.
  ///
  /// ```swift
  /// session.derived(.select(\.user.name)).assign(to: editor.ref(\.author))
  ///   .storeWhileSourceActive()
  /// ```
  ///
  /// Each write is a commit to the pointer's store. A refused value is ignored and reported, like
  /// one that is set through the pointer.
  ///
  /// - Parameters:
  ///   - pointer: The pointer.
  ///   - queue: The queue on which the pointer is written; by default, it is written before the
  ///     commit that changed the state returns.
  /// - Returns: The subscription, which ends when it is released.
  public func assign(
    to pointer: Ref<State>, queue: DeliveryQueue = .passthrough
  ) -> StoreSubscription {
    sinkState(queue: queue) { pointer.value = $0.primitive }
  }
}
