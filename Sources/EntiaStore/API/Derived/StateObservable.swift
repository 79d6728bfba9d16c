/// Something with a state that changes over time: a store, a scope, a derived value, a live query,
/// a handle, a pointer, or a type built around one of them.
///
/// A type of your own is observed, and derived from, as the source that it forwards ``states`` of:
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
  /// What is observed.
  associatedtype State: Sendable

  /// The states from now on, the current one first; a slow loop receives the newest.
  var states: StoreStates<State> { get }
}

extension StateObservable {
  var source: any StateSource<State> { states.source }

  /// Returns the states from now on, the current one first.
  ///
  /// - Parameter buffering: Which states wait for a slow loop. Commits that come faster than they
  ///   are delivered are one change, whatever the buffering.
  /// - Returns: The states.
  public func states(buffering: StreamBuffering) -> StoreStates<State> {
    StoreStates(source, buffering)
  }

  /// Derives a value from the state: `store.derived(.select(\.part))`, `store.derived(.map { … })`.
  ///
  /// - Parameter derivation: How the value is derived.
  /// - Returns: A value that follows the state, computed only when it is read or delivered.
  public func derived<Output>(_ derivation: Derivation<State, Output>) -> Derived<Output> {
    Derived(derivation, of: source)
  }

  /// Derives what a function returns for the state: `store.derived { $0.count }`, which is short
  /// for `store.derived(.map { $0.count })`.
  ///
  /// - Parameter transform: Computes the value; it must depend on the state alone.
  /// - Returns: A value that follows the state, computed only when it is read or delivered.
  public func derived<Output: Sendable>(
    _ transform: @escaping @Sendable (State) -> Output
  ) -> Derived<Output> {
    derived(.map(transform))
  }
}
