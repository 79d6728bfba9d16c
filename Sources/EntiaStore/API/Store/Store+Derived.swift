extension Store {
  /// Returns a value derived from the state: `store.derived(.select(\.part))`, `store.derived(.map
  /// { … })`.
  ///
  /// - Returns: A derived value, computed on demand.
  public func derived<Output>(_ derivation: Derivation<State, Output>) -> Derived<Output> {
    Derived(derivation, of: core)
  }

  /// Returns a value derived from the state by a function: `store.derived { $0.count }`, which is
  /// short for `store.derived(.map { $0.count })`.
  ///
  /// - Parameter transform: A function that returns the value. It must depend only on the state.
  /// - Returns: A derived value, computed on demand.
  public func derived<Output: Sendable>(
    _ transform: @escaping @Sendable (State) -> Output
  ) -> Derived<Output> {
    derived(.map(transform))
  }
}
