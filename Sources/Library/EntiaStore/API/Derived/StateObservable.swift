/// A source of a state that changes over time: a store, a scope, a derived value, a live query, a
/// handle, a pointer, or a type built around one of them.
///
/// A custom type conforms by forwarding the ``states`` of another source:
///
/// ```swift
/// final class Cart: StateObservable {
///   let store: Store<CartState, Never>
///   var states: StoreStates<CartState> { store.states }
/// }
/// cart.sinkState { cart in … }
/// let total = cart.derived(.map { $0.total })
/// ```
public protocol StateObservable<State> {
  /// The type of the observed values.
  associatedtype State: Sendable

  /// The sequence of states, beginning with the current one. A slow loop skips to the newest state.
  var states: StoreStates<State> { get }
}

extension StateObservable {
  var source: any StateSource<State> { states.source }

  /// Returns the sequence of states, beginning with the current one.
  ///
  /// - Parameter buffering: The states that are buffered for a slow loop. With every choice,
  ///   commits that are made faster than they are delivered coalesce into one change.
  /// - Returns: The states.
  public func states(buffering: StreamBuffering) -> StoreStates<State> {
    StoreStates(source, buffering)
  }

  /// Returns a value derived from the state: `store.derived(.select(\.part))`,
  /// `store.derived(.map { … })`.
  ///
  /// - Parameter derivation: The derivation.
  /// - Returns: A value that always equals the derivation of the current state, computed only when
  ///   it is read or delivered.
  public func derived<Output>(_ derivation: Derivation<State, Output>) -> Derived<Output> {
    Derived(derivation, of: source)
  }

  /// Returns a value computed from the state by a closure: `store.derived { $0.count }` is short
  /// for `store.derived(.map { $0.count })`.
  ///
  /// - Parameter transform: A closure that computes the value. Its result must depend only on the
  ///   state.
  /// - Returns: A value that always equals the derivation of the current state, computed only when
  ///   it is read or delivered.
  public func derived<Output: Sendable>(
    _ transform: @escaping @Sendable (State) -> Output
  ) -> Derived<Output> {
    derived(.map(transform))
  }
}

/// An accumulation over the calls of an observer.
///
/// ```swift
/// let calls = Scan<Changes<AppState>, Int>(seed: 0) { count, state in count += 1 }
/// store.sinkState(scan: calls) { state, count in print("call \(count)") }
/// ```
public struct Scan<Element, Accumulated: Sendable>: Sendable {
  /// The accumulated value before the first call.
  let seed: Accumulated
  /// The function that adds an element to the accumulated value.
  let accumulate: @Sendable (_ accumulated: inout Accumulated, _ element: Element) -> Void

  /// Creates a scan.
  ///
  /// - Parameters:
  ///   - seed: The accumulated value before the first call.
  ///   - accumulate: A function that adds an element to the accumulated value.
  public init(
    seed: Accumulated,
    accumulate: @escaping @Sendable (_ accumulated: inout Accumulated, _ element: Element) -> Void
  ) {
    self.seed = seed
    self.accumulate = accumulate
  }
}

extension Scan {
  /// Returns a function that adds an element, and returns the accumulated value.
  fileprivate func accumulator() -> @Sendable (Element) -> Accumulated {
    let accumulated = Mutex(seed)
    return { [accumulate] element in
      let before = accumulated.withLock { $0 }
      var after = before
      accumulate(&after, element)
      // The observer is called for one event at a time, so no element has been added meanwhile.
      accumulated.withLock { $0 = after }
      withExtendedLifetime(before) {}
      return after
    }
  }
}

extension StateObservable {
  /// Calls a closure on the main actor with the current state, and again after each change.
  ///
  /// The closure is called at most once for each commit, and exactly once if it keeps up. If the
  /// closure falls behind, intermediate states are skipped, but the newest state is always
  /// delivered. The call with the initial state has no `previous`. On the main actor, the first
  /// call is made before this method returns.
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
    source.observe(on: queue.target, dropsFirst: dropsFirst) { current, previous in
      // `main` and `asyncMain` both deliver only on the main actor.
      MainActor.assumeIsolated { receive(Changes(current, previous: previous)) }
    }
  }

  /// Calls a closure on a queue with the current state, and again after each change.
  ///
  /// The closure is called at most once for each commit, and exactly once if it keeps up. If the
  /// closure falls behind, intermediate states are skipped, but the newest state is always
  /// delivered. The call with the initial state has no `previous`. With
  /// ``DeliveryQueue/passthrough``, the first call is made before this method returns.
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
    source.observe(on: queue.target, dropsFirst: dropsFirst) { current, previous in
      receive(Changes(current, previous: previous))
    }
  }

  /// Calls a closure on an actor with the current state, and again after each change.
  ///
  /// ```swift
  /// store.sinkState(on: cache) { cache, state in cache.text = state.searchText }
  /// ```
  ///
  /// The closure is called at most once for each commit, and exactly once if the actor keeps up. If
  /// the actor falls behind, intermediate states are skipped, but the newest state is always
  /// delivered. All calls are asynchronous, and isolated to the actor.
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
    source.observe(on: .actor(actor), dropsFirst: dropsFirst) { current, previous in
      // Deliveries to an actor run only on that actor.
      actor.assumeIsolated { receive($0, Changes(current, previous: previous)) }
    }
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
    let add = scan.accumulator()
    return sinkState(dropsFirst: dropsFirst, queue: queue) { receive($0, add($0)) }
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
    let add = scan.accumulator()
    return sinkState(dropsFirst: dropsFirst, queue: queue) { receive($0, add($0)) }
  }

  /// Writes the current state to a pointer, and again after each change.
  ///
  /// ```swift
  /// session.derived(.select(\.user.name)).assign(to: editor.ref(\.author))
  ///   .storeWhileSourceActive()
  /// ```
  ///
  /// Each write is a commit to the pointer's store. A refused value is ignored and reported, as if
  /// it were set through the pointer.
  ///
  /// - Parameters:
  ///   - pointer: The pointer.
  ///   - queue: The queue on which the pointer is written. By default, a commit that changes the
  ///     state returns after the pointer has been written.
  /// - Returns: The subscription, which ends when it is released.
  public func assign(
    to pointer: Ref<State>, queue: DeliveryQueue = .passthrough
  ) -> StoreSubscription {
    sinkState(queue: queue) { pointer.value = $0.primitive }
  }
}
