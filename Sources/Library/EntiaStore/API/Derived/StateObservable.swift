/// Something with a state that changes over time: a store, a scope, a derived value, a live query,
/// a handle, a pointer, or a type built around one of them.
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
  /// - Parameter buffering: The states that are buffered for a slow loop. Commits that are made
  ///   faster than they are delivered coalesce into one change with every buffering.
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
