extension Derived {
  /// Combines several values into one: derived values, live queries, stores.
  ///
  /// ```swift
  /// let title = Derived.combined(book, count) { "\($0?.title ?? ""), \($1)" }
  /// ```
  ///
  /// Values of one store are always read in one and the same state: observers never receive the new
  /// value of one beside the old value of another. Values of several stores are combined too. Each
  /// store is then read in a state of its own, and the combined value follows their commits as an
  /// observer on ``DeliveryQueue/passthrough`` does: after a commit to one of them has returned, it
  /// is the new one. It may still be the former one where several threads commit at once, and
  /// inside an observer of that store: a commit made there is delivered after the observer has
  /// returned.
  ///
  /// - Parameters:
  ///   - input: The values to combine.
  ///   - transform: Computes the combined value; it must depend on its input alone.
  /// - Returns: A value that is computed again only when one of the inputs has changed.
  public static func combined<each Input: StateObservable>(
    _ input: repeat each Input,
    by transform: @escaping @Sendable (repeat (each Input).State) -> Value
  ) -> Derived {
    combined(of: repeat (each input).source, by: transform)
  }

  /// Combines several values into a tuple of them, as ``combined(_:by:)`` does.
  ///
  /// - Parameter input: The values to combine.
  /// - Returns: A value that changes when one of the inputs does.
  public static func combined<each Input: StateObservable>(
    _ input: repeat each Input
  ) -> Derived where Value == (repeat (each Input).State) {
    tuple(of: repeat (each input).source)
  }

  private static func tuple<each Part: Sendable>(
    of source: repeat any StateSource<each Part>
  ) -> Derived where Value == (repeat each Part) {
    combined(of: repeat each source) { (part: repeat each Part) in (repeat each part) }
  }

  private static func combined<each Part: Sendable>(
    of source: repeat any StateSource<each Part>,
    by transform: @escaping @Sendable (repeat each Part) -> Value
  ) -> Derived {
    var broadcasters: [StoreBroadcaster] = []
    var regions: [ObservedRegion] = []
    for source in repeat each source {
      if !broadcasters.contains(where: { $0 === source.broadcaster }) {
        broadcasters.append(source.broadcaster)
      }
      regions.append(source.observedRegion)
    }
    let read: @Sendable ((StoreBroadcaster) -> SourceVersion) -> CombinedInputs<Value> = { root in
      let inputs = (repeat (each source).value(at: root((each source).broadcaster)))
      var versions: [UInt64] = []
      for input in repeat each inputs { versions.append(input.version) }
      return CombinedInputs(versions: versions) { transform(repeat (each inputs).value) }
    }
    if broadcasters.count == 1 {
      return Derived(
        CombinedSource(broadcaster: broadcasters[0], regions: regions) { version in
          read { _ in version }
        })
    }
    let joined = JoinedStores<Value>(broadcasters) { states in
      read { broadcaster in
        SourceVersion(
          current: states.first { $0.broadcaster === broadcaster }?.current ?? broadcaster.current)
      }
    }
    for source in repeat each source { joined.follow(source) }
    joined.refresh()
    return Derived(.map { $0.combine() }, of: joined)
  }
}

extension StoreComponentType {
  /// Derives one value from several: derived values, live queries, stores.
  ///
  /// ```swift
  /// let title = store.derived(combining: book, count) { "\($0.title), \($1)" }
  /// ```
  ///
  /// Values of this store are always read in one and the same state: observers never receive the
  /// new value of one beside the old value of another. ``Derived/combined(_:by:)`` is the same, and
  /// says what becomes of values of several stores.
  ///
  /// - Parameters:
  ///   - input: The values to combine.
  ///   - transform: Computes the combined value; it must depend on its input alone.
  /// - Returns: A value that is computed again only when one of the inputs has changed.
  public func derived<each Input: StateObservable, Output: Sendable>(
    combining input: repeat each Input,
    by transform: @escaping @Sendable (repeat (each Input).State) -> Output
  ) -> Derived<Output> {
    .combined(repeat each input, by: transform)
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
    store.ref.map(get: get, set: set)
  }
}
