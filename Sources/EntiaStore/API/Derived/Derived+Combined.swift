extension Store {
  /// Derives one value from several of this store.
  ///
  /// ```swift
  /// let title = store.derived(combining: book, count) { "\($0.title), \($1)" }
  /// ```
  ///
  /// All are always looked at in one and the same state: its observers never see the new value of
  /// one beside the old value of another.
  ///
  /// - Parameters:
  ///   - input: The values to combine.
  ///   - transform: Gives the combined value; it must depend on its input alone.
  /// - Returns: A value that is computed again only when one of the inputs has changed.
  /// - Precondition: The inputs are derived from this store.
  public func derived<each Input: Sendable, Output: Sendable>(
    combining input: repeat Derived<each Input>,
    by transform: @escaping @Sendable (repeat each Input) -> Output
  ) -> Derived<Output> {
    let sources = (repeat (each input).source)
    var interests: [StoreInterest] = []
    for source in repeat each sources {
      precondition(
        source.hub === core.hub, "values of different stores cannot be combined without tearing")
      interests.append(source.interest)
    }
    let combined = CombinedCore(
      hub: core.hub, interests: interests, equality: Equality<Output>()
    ) { version in
      let snapshots = (repeat (each sources).value(at: version))
      var versions: [UInt64] = []
      for snapshot in repeat each snapshots { versions.append(snapshot.version) }
      return CombinedCore<Output>.Look(versions: versions) {
        transform(repeat (each snapshots).value)
      }
    }
    return Derived(combined)
  }

  /// A value that is derived from the state and can be written back to it.
  ///
  /// ```swift
  /// let celsius = store.derived(
  ///   get: { ($0.fahrenheit - 32) / 1.8 }, set: { $0.fahrenheit = $1 * 1.8 + 32 })
  /// celsius.value = 20
  /// ```
  ///
  /// - Parameters:
  ///   - get: Derives the value.
  ///   - set: Changes the state so that the value is derived from it.
  /// - Returns: A pointer; each write is a commit.
  public func derived<Output: Sendable>(
    get: @escaping @Sendable (State) -> Output,
    set: @escaping @Sendable (inout State, Output) -> Void
  ) -> Ref<Output> {
    ref.map(
      get: get,
      edit: { state, body in
        var output = get(state)
        try body(&output)
        set(&state, output)
      })
  }
}
