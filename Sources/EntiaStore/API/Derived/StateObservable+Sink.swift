extension StateObservable {
  /// Calls a closure on the main actor with the current state and after each change of it.
  ///
  /// There is at most one call a commit, exactly one while the closure keeps up, and the last call
  /// is for the current state. A closure that is behind is called with the newest state. The first
  /// call has no `previous`; it comes before this returns when this is the main actor.
  ///
  /// - Parameters:
  ///   - dropsFirst: Whether to leave out the call with the current state.
  ///   - queue: When the main actor is notified; at once where possible, unless you say otherwise.
  ///   - receive: Receives the state.
  /// - Returns: The subscription; it ends when released.
  public func sinkState(
    dropsFirst: Bool = false, queue: MainActorQueue = .main,
    receive: @escaping @MainActor @Sendable (Changes<State>) -> Void
  ) -> StoreSubscription {
    source.sink(on: queue, dropsFirst: dropsFirst, receive: receive)
  }

  /// Calls a closure on a queue with the current state and after each change of it.
  ///
  /// There is at most one call a commit, exactly one while the closure keeps up, and the last call
  /// is for the current state. A closure that is behind is called with the newest state. The first
  /// call has no `previous`; with ``DeliveryQueue/passthrough`` it comes before this returns.
  ///
  /// - Parameters:
  ///   - dropsFirst: Whether to leave out the call with the current state.
  ///   - queue: Where the closure is called.
  ///   - receive: Receives the state.
  /// - Returns: The subscription; it ends when released.
  public func sinkState(
    dropsFirst: Bool = false, queue: DeliveryQueue,
    receive: @escaping @Sendable (Changes<State>) -> Void
  ) -> StoreSubscription {
    source.sink(on: queue, dropsFirst: dropsFirst, receive: receive)
  }

  /// Calls a closure on an actor with the current state and after each change of it.
  ///
  /// ```swift
  /// store.sinkState(on: cache) { cache, state in cache.text = state.searchText }
  /// ```
  ///
  /// There is at most one call a commit, exactly one while the actor keeps up, and the last call is
  /// for the current state. Calls are always later, and never while the actor does something else.
  ///
  /// - Parameters:
  ///   - dropsFirst: Whether to leave out the call with the current state.
  ///   - actor: Where the closure is called; the subscription holds it.
  ///   - receive: Receives the actor and the state.
  /// - Returns: The subscription; it ends when released.
  public func sinkState<Place: Actor>(
    dropsFirst: Bool = false, on actor: Place,
    receive: @escaping @Sendable (isolated Place, Changes<State>) -> Void
  ) -> StoreSubscription {
    source.sink(on: actor, dropsFirst: dropsFirst, receive: receive)
  }

  /// Calls a closure on the main actor with the state and what a scan accumulates, now and after
  /// each change.
  ///
  /// - Parameters:
  ///   - scan: What is accumulated, for this observer alone.
  ///   - dropsFirst: Whether to leave out the call with the current state.
  ///   - queue: When the main actor is notified; at once where possible, unless you say otherwise.
  ///   - receive: Receives the state and what is accumulated.
  /// - Returns: The subscription; it ends when released.
  public func sinkState<Accumulated: Sendable>(
    scan: Scan<Changes<State>, Accumulated>, dropsFirst: Bool = false,
    queue: MainActorQueue = .main,
    receive: @escaping @MainActor @Sendable (Changes<State>, Accumulated) -> Void
  ) -> StoreSubscription {
    let memory = ScanAccumulator(scan)
    return sinkState(dropsFirst: dropsFirst, queue: queue) { receive($0, memory.add($0)) }
  }

  /// Calls a closure on a queue with the state and what a scan accumulates, now and after each
  /// change.
  ///
  /// - Parameters:
  ///   - scan: What is accumulated, for this observer alone.
  ///   - dropsFirst: Whether to leave out the call with the current state.
  ///   - queue: Where the closure is called.
  ///   - receive: Receives the state and what is accumulated.
  /// - Returns: The subscription; it ends when released.
  public func sinkState<Accumulated: Sendable>(
    scan: Scan<Changes<State>, Accumulated>, dropsFirst: Bool = false, queue: DeliveryQueue,
    receive: @escaping @Sendable (Changes<State>, Accumulated) -> Void
  ) -> StoreSubscription {
    let memory = ScanAccumulator(scan)
    return sinkState(dropsFirst: dropsFirst, queue: queue) { receive($0, memory.add($0)) }
  }

  /// Writes the state to a pointer, now and after each change.
  ///
  /// ```swift
  /// session.derived(.select(\.user.name)).assign(to: editor.ref(\.author)).storeWhileSourceActive()
  /// ```
  ///
  /// Each write is a commit to the store that the pointer belongs to. A value that is refused there
  /// is ignored and reported, as one that is set through the pointer.
  ///
  /// - Parameters:
  ///   - pointer: The pointer.
  ///   - queue: Where it is written; by default before the commit that changed the state returns.
  /// - Returns: The subscription; it ends when released.
  public func assign(
    to pointer: Ref<State>, queue: DeliveryQueue = .passthrough
  ) -> StoreSubscription {
    sinkState(queue: queue) { pointer.value = $0.primitive }
  }
}
