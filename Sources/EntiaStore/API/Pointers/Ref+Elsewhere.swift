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
  /// `addObserver` passes on: an equal one is no change where values are `Equatable`. The value is
  /// kept as it is, also where it is a ``StateType``.
  ///
  /// ``update(_:_:)`` and writes of a part call `get` and then `set`. A change that another thread
  /// makes between the two is lost. Where several threads write the value, use
  /// ``init(get:update:addObserver:)``.
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
    self.init(
      get: get,
      update: { body in
        var value = get()
        try body(&value)
        set(value)
      }, addObserver: addObserver)
  }

  /// Creates a pointer to a value that lives elsewhere and is changed in one step.
  ///
  /// ```swift
  /// let volume = Ref(
  ///   get: { player.lock.withLock { player.volume } },
  ///   update: { body in try player.lock.withLock { try body(&player.volume) } },
  ///   addObserver: { receive in
  ///     let observer = player.observe { receive($0.volume) }
  ///     return StoreSubscription { observer.stop() }
  ///   })
  /// ```
  ///
  /// It is like a pointer of ``init(get:set:addObserver:)``, but no change is lost where several
  /// threads write the value, if `update` is exclusive.
  ///
  /// - Parameters:
  ///   - get: Returns the value as it is now.
  ///   - update: Calls its argument exactly once with the value, and stores the changed value. If
  ///     the argument throws, it leaves the value unchanged and throws the error.
  ///   - addObserver: Called once. It passes each later value to its argument, the changes of this
  ///     pointer included, one after another. The pointer holds the subscription that it returns.
  public convenience init(
    get: @escaping @Sendable () -> Value,
    update: @escaping @Sendable (_ body: (inout Value) throws -> Void) throws -> Void,
    addObserver: (_ receive: @escaping @Sendable (Value) -> Void) -> StoreSubscription
  ) {
    let core = StoreCore<Value, Never>(
      initialState: get(), undoDepth: 0,
      hooks: CommitHooks(middleware: [], logger: nil, reduces: false))
    let hasReceived = Mutex(false)
    let subscription = addObserver { value in
      hasReceived.withLock { $0 = true }
      core.commit(CommitRequest()) { $0 = value }
    }
    // The value may have changed before it was observed. `get` is called outside of the commit: it
    // may wait for a thread that is passing on a value.
    let value = get()
    core.commit(CommitRequest()) { if !hasReceived.withLock({ $0 }) { $0 = value } }
    let owner = ValueElsewhere(broadcaster: core.broadcaster, subscription: subscription)
    self.init(source: core, problems: core.problems, owner: owner, read: get) { _, body in
      var result: RefUpdateResult?
      try update { result = try body(&$0) }
      // An update that does not call the closure has changed nothing.
      guard let result else { throw RefError.lost(what: "\(Value.self)") }
      return result
    }
  }
}

/// What a pointer to a value elsewhere keeps: a copy of the value for its observers, and what
/// updates the copy.
private final class ValueElsewhere: Sendable {
  private let broadcaster: StoreBroadcaster
  private let subscription: StoreSubscription

  init(broadcaster: StoreBroadcaster, subscription: StoreSubscription) {
    self.broadcaster = broadcaster
    self.subscription = subscription
  }

  deinit { broadcaster.end() }
}
