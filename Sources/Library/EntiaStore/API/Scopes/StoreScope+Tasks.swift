extension StoreScope {
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

  /// Runs asynchronous work on no actor, like ``Store/taskDetached(key:mode:priority:_:)``.
  ///
  /// - Returns: The task, which can be awaited, canceled or ignored.
  @discardableResult
  public func taskDetached<Result: Sendable>(
    key: StoreTaskKey = .distinct(), mode: StoreTaskMode = .dropCurrent,
    priority: TaskPriority? = nil, _ action: @escaping @Sendable () async throws -> Result
  ) -> Task<Result, any Error> {
    store.taskDetached(key: key, mode: mode, priority: priority, action)
  }

  /// Cancels the tasks with a key, including those that have not started.
  public func cancelTasks(key: StoreTaskKey) { store.cancelTasks(key: key) }

  /// Cancels all unfinished tasks of the store, including those that were not started by this
  /// scope.
  public func cancelAllTasks() { store.cancelAllTasks() }

  /// Waits for all tasks of the store, like ``Store/waitForAllTasks()``.
  public func waitForAllTasks() async { await store.waitForAllTasks() }
}
