extension Ref {
  /// Creates a pointer to a value that lives elsewhere.
  ///
  /// ```swift
  /// let volume = Ref(
  ///   get: { player.volume }, set: { player.volume = $0 },
  ///   addObserver: { receive in
  ///     let observer = player.observe { receive($0.volume) }
  ///     return StoreSubscription { observer.stop() }
  ///   })
  /// ```
  ///
  /// The pointer reads and writes through the closures, from the thread that reads or writes. Its
  /// observers, and those of pointers and values made from it, are called for the values that
  /// `addObserver` passes on: an equal one is no change where values are `Equatable`.
  ///
  /// - Parameters:
  ///   - get: Returns the value as it is now.
  ///   - set: Replaces the value.
  ///   - addObserver: Called once. It passes each later value to its argument, the changes of this
  ///     pointer included, one after another. The pointer holds the subscription that it returns.
  public convenience init(
    get: @escaping @Sendable () -> Value, set: @escaping @Sendable (Value) -> Void,
    addObserver: (_ receive: @escaping @Sendable (Value) -> Void) -> StoreSubscription
  ) {
    let store = Store<Value, Never>(initialState: get(), undoDepth: 0)
    let core = store.core
    let subscription = addObserver { value in core.commit(CommitMark()) { $0 = value } }
    let owner = ValueElsewhere(store: store, subscription: subscription)
    self.init(source: core, problems: core.problems, owner: owner, read: get) { _, body in
      var value = get()
      let answer = try body(&value)
      set(value)
      return answer
    }
  }
}

/// What a pointer to a value elsewhere keeps: a store with a copy of the value for its observers, and
/// what updates it.
private final class ValueElsewhere: Sendable {
  let store: any AnyObject & Sendable
  let subscription: StoreSubscription

  init(store: any AnyObject & Sendable, subscription: StoreSubscription) {
    self.store = store
    self.subscription = subscription
  }
}
