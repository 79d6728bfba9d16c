extension Store {
  /// Returns a value derived from several derived values of this store.
  ///
  /// ```swift
  /// let title = store.derived(combining: book, count) { "\($0.title), \($1)" }
  /// ```
  ///
  /// All inputs are read in the same version of the state: observers never see the new value of one
  /// together with the old value of another.
  ///
  /// - Parameters:
  ///   - input: The values to combine.
  ///   - transform: A function that returns the combined value. It must depend only on its input.
  /// - Returns: A derived value, computed again only if one of the inputs has changed.
  /// - Precondition: All inputs are derived from this store.
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

  /// Returns a pointer to a value that is derived from the state and can be written back to it.
  ///
  /// ```swift
  /// let celsius = store.derived(
  ///   get: { ($0.fahrenheit - 32) / 1.8 }, set: { $0.fahrenheit = $1 * 1.8 + 32 })
  /// celsius.value = 20
  /// ```
  ///
  /// - Parameters:
  ///   - get: A function that derives the value.
  ///   - set: A function that changes the state so that the given value is derived from it.
  /// - Returns: A pointer, each write of which is a commit.
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
