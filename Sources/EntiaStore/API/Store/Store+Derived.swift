extension Store {
  /// Derives a value from the state: `store.derived(.select(\.part))`, `store.derived(.map { … })`.
  ///
  /// - Returns: A derived value, computed on demand.
  public func derived<Output>(_ derivation: Derivation<State, Output>) -> Derived<Output> {
    Derived(derivation, of: core)
  }

  /// Derives what a function gives for the state: `store.derived { $0.count }`, which is short for
  /// `store.derived(.map { $0.count })`.
  ///
  /// - Parameter transform: Gives the value; it must depend on the state alone.
  /// - Returns: A derived value, computed on demand.
  public func derived<Output: Sendable>(
    _ transform: @escaping @Sendable (State) -> Output
  ) -> Derived<Output> {
    derived(.map(transform))
  }
}
