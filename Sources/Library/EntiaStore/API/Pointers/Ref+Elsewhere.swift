extension Ref {
  /// Creates a pointer to a value that is stored outside of a store.
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
  /// The pointer reads and writes through the closures, on the calling thread. The observers of the
  /// pointer, and of pointers and values derived from it, receive the values that `addObserver`
  /// passes to `receive`. If values are `Equatable`, an equal value is no change. The value is
  /// never reduced, even if it is a ``StateType``.
  ///
  /// ``update(_:coalescing:fileID:line:_:)`` and writes of a part call `get` and then `set`. A
  /// change that another thread makes between the two calls is lost. If several threads write the
  /// value, use ``init(get:update:addObserver:)``.
  ///
  /// - Parameters:
  ///   - get: Returns the current value.
  ///   - set: Replaces the value.
  ///   - addObserver: A closure that is called once. It passes each later value to `receive`, one
  ///     after another, including the values that this pointer writes. The pointer retains the
  ///     subscription that the closure returns.
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

  /// Creates a pointer to a value that is stored outside of a store and is updated atomically.
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
  /// The pointer works like a pointer created by ``init(get:set:addObserver:)``. In addition, no
  /// change is lost when several threads write the value, provided that `update` is exclusive.
  ///
  /// - Parameters:
  ///   - get: Returns the current value.
  ///   - update: Calls `body` exactly once with the value, and stores the changed value. If `body`
  ///     throws, `update` leaves the value unchanged and throws the error.
  ///   - addObserver: A closure that is called once. It passes each later value to `receive`, one
  ///     after another, including the values that this pointer writes. The pointer retains the
  ///     subscription that the closure returns.
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
      core.commit(CommitRequest(at: "an update of a pointer to a value outside of a store")) {
        $0 = value
      }
    }
    // The value may have changed before it was observed, so it is read again. `get` may wait for a
    // thread that passes a value to `receive`, and `receive` waits for running commits. `get` is
    // therefore called before the commit.
    let value = get()
    core.commit(CommitRequest(at: "an update of a pointer to a value outside of a store")) {
      if !hasReceived.withLock({ $0 }) { $0 = value }
    }
    let owner = ValueElsewhere(broadcaster: core.broadcaster, subscription: subscription)
    self.init(
      source: core, problems: core.problems, owner: owner, read: get,
      edit: { _, body in try update(body) },
      editUnrecorded: { _, body in try update(body) })
  }
}

/// Owns a copy of an external value, and the subscription that updates the copy. Observers observe
/// the copy.
private final class ValueElsewhere: Sendable {
  private let broadcaster: StoreBroadcaster
  private let subscription: StoreSubscription

  init(broadcaster: StoreBroadcaster, subscription: StoreSubscription) {
    self.broadcaster = broadcaster
    self.subscription = subscription
  }

  deinit { broadcaster.end() }
}

/// The name, the coalescing and the origin of a write through a pointer.
struct RefWrite: Sendable {
  let name: String?
  /// `nil` for the default: coalescing with the last write through an equal pointer.
  var coalescing: UndoCoalescing?
  /// The file of the call, or a description of the write if there is no line.
  let place: StaticString
  let line: UInt?

  init(
    _ name: String? = nil, coalescing: UndoCoalescing? = nil,
    at place: StaticString = "a write through a pointer", line: UInt? = nil
  ) {
    self.name = name
    self.coalescing = coalescing
    self.place = place
    self.line = line
  }

  /// Returns the commit of a write that is an undo step.
  func request(of path: RefPath) -> CommitRequest {
    let coalescing = coalescing ?? .sameTarget(path)
    return CommitRequest(
      CommitMetadata(name: name), recording: .step(coalescing), at: place, line: line)
  }
}
