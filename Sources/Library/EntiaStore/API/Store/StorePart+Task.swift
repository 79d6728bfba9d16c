extension StorePart {
  /// Runs asynchronous work that is canceled when the store is released.
  ///
  /// ```swift
  /// store.task(key: .init("load"), mode: .dropCurrent) { await load() }
  /// ```
  ///
  /// The closure runs on the actor of its context, such as the main actor in a view model. In
  /// contrast, the closure of ``taskDetached(key:mode:priority:_:)`` runs on no actor.
  ///
  /// The task retains the store only if the closure captures the store. An error of the work is
  /// thrown by the returned task's `value` and reported to the store's logger; cancellation is not
  /// reported as an error.
  ///
  /// - Parameters:
  ///   - key: The key; by default, a distinct key, which equals no other key.
  ///   - mode: The treatment of unfinished tasks with the same key.
  ///   - priority: The priority of the work; by default, that of the caller.
  ///   - action: The work. If the task is canceled before it starts, the work never runs.
  /// - Returns: The task, which can be awaited, canceled or ignored.
  @discardableResult
  public func task<Result: Sendable>(
    key: StoreTaskKey = .distinct(), mode: StoreTaskMode = .dropCurrent,
    priority: TaskPriority? = nil,
    @_inheritActorContext
    _ action: @escaping @Sendable @isolated(any) () async throws -> Result
  ) -> Task<Result, any Error> {
    let hooks = store.core.hooks
    return store.core.tasks.start(
      key, mode, priority, failed: { hooks.logger?.log(.taskFailed(key: key, error: $0)) }, action)
  }

  /// Runs asynchronous work, like ``task(key:mode:priority:_:)``, but on no actor.
  ///
  /// - Parameters:
  ///   - key: The key; by default, a distinct key, which equals no other key.
  ///   - mode: The treatment of unfinished tasks with the same key.
  ///   - priority: The priority of the work; by default, that of the caller.
  ///   - action: The work.
  /// - Returns: The task, which can be awaited, canceled or ignored.
  @discardableResult
  public func taskDetached<Result: Sendable>(
    key: StoreTaskKey = .distinct(), mode: StoreTaskMode = .dropCurrent,
    priority: TaskPriority? = nil, _ action: @escaping @Sendable () async throws -> Result
  ) -> Task<Result, any Error> {
    task(key: key, mode: mode, priority: priority, action)
  }

  /// Cancels the tasks with a key, including those that have not started.
  public func cancelTasks(key: StoreTaskKey) {
    store.core.tasks.cancel(key)
  }

  /// Cancels all unfinished tasks of this store.
  public func cancelAllTasks() {
    store.core.tasks.cancelAll()
  }

  /// Waits for all tasks of this store, including those that are started meanwhile.
  ///
  /// A task of this store must not call this method, because the task would wait for itself.
  public func waitForAllTasks() async {
    await store.core.tasks.waitForAll()
  }
}
