extension StoreScope {
  /// Changes the part outside the caller's actor, like ``Store/backgroundCommit(_:undo:_:)``.
  ///
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure or of a ``StoreMiddleware``; the state is then unchanged,
  ///   and no observer is notified.
  @discardableResult
  public func backgroundCommit<Result: Sendable>(
    _ name: String? = nil, undo: UndoRecording = .none,
    _ body: @escaping @Sendable (inout State) throws -> Result
  ) async throws -> Result {
    let path = path
    return try await store.backgroundCommit(name, undo: undo) { try body(&$0[keyPath: path]) }
  }

  /// Changes the part with a choice whether the change can be undone, like
  /// ``Store/commit(_:context:undo:_:)``.
  ///
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure; the state is then unchanged, and no observer is notified.
  @discardableResult
  public func commit<Result>(
    _ name: String? = nil, undo: UndoRecording,
    _ body: @escaping @Sendable (inout State) throws -> Result
  ) rethrows -> Result {
    let path = path
    return try store.commit(name, undo: undo) { try body(&$0[keyPath: path]) }
  }

  /// Returns a scope of the store for a part of this part.
  ///
  /// - Returns: A scope, which retains the store.
  public func scope<Part: Sendable>(
    _ part: any WritableKeyPath<State, Part> & Sendable
  ) -> StoreScope<Whole, Part, Activity> {
    store.scope(wholePath(to: part))
  }

  /// Returns a pointer to a part of this part.
  public func ref<Part: Sendable>(
    _ part: any WritableKeyPath<State, Part> & Sendable
  ) -> Ref<Part> {
    ref[part]
  }

  /// Runs asynchronous work that is canceled when the store is released, like
  /// ``Store/task(key:mode:priority:_:)``. Tasks of the store and of its scopes share their keys.
  ///
  /// - Returns: The task, which can be awaited, canceled or ignored.
  @discardableResult
  public func task<Result: Sendable>(
    key: StoreTaskKey = .distinct(), mode: StoreTaskMode = .dropCurrent,
    priority: TaskPriority? = nil,
    @_inheritActorContext
    _ action: @escaping @Sendable @isolated(any) () async throws -> Result
  ) -> Task<Result, any Error> {
    store.task(key: key, mode: mode, priority: priority, action)
  }

  /// Cancels the tasks with a key, including those that have not started.
  public func cancelTasks(key: StoreTaskKey) { store.cancelTasks(key: key) }
}

extension StoreScope where State: Equatable {
  /// Undoes the last step that changed the part, in the part alone.
  ///
  /// - Returns: Whether there was a step that changed the part.
  @discardableResult
  public func undo() -> Bool { store.undo(path) }

  /// Redoes the last undo of the part, in the part alone.
  ///
  /// - Returns: Whether there was an undo of the part to redo.
  @discardableResult
  public func redo() -> Bool { store.redo(path) }

  /// Whether a step that can be undone changed the part.
  public var canUndo: Bool { store.canUndo(path) }

  /// Whether an undo of the part can be redone.
  public var canRedo: Bool { store.canRedo(path) }
}
