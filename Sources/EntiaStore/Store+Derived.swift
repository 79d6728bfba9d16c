extension Store {
  /// Derives a value from the state: `store.derived(.select(\.part))`, `store.derived(.map { … })`.
  ///
  /// - Returns: A value that follows the state, computed only when it is asked for.
  public func derived<Output>(_ derivation: Derivation<State, Output>) -> Derived<Output> {
    Derived(derivation, of: core)
  }
}
