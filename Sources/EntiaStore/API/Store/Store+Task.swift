extension Store {
  /// Runs asynchronous work that is canceled when the store goes.
  ///
  /// ```swift
  /// store.task(key: .init("load"), mode: .dropCurrent) { await load() }
  /// ```
  ///
  /// The closure runs on the actor on which it is written, such as the main actor in a view model;
  /// ``taskDetached(key:mode:priority:_:)`` runs it on none.
  ///
  /// The work does not keep the store alive unless its closure does. An error it throws is thrown by
  /// the returned task's `value` and reported to the store's logger; being canceled is no error to
  /// report.
  ///
  /// - Parameters:
  ///   - key: The key. Of the tasks with equal keys, one runs at a time; by default, a distinct
  ///     key.
  ///   - mode: The treatment of unfinished tasks with the same key.
  ///   - priority: The priority of the work; by default, that of the caller.
  ///   - action: The work. A task that is canceled before its turn comes never runs it.
  /// - Returns: The task, which can be awaited, canceled or ignored.
  @discardableResult
  public func task<Result: Sendable>(
    key: StoreTaskKey = .distinct(), mode: StoreTaskMode = .dropCurrent,
    priority: TaskPriority? = nil,
    @_inheritActorContext
    _ action: @escaping @Sendable @isolated(any) () async throws -> Result
  ) -> Task<Result, any Error> {
    let hooks = core.hooks
    return core.tasks.start(
      key, mode, priority, failed: { hooks.logger?.log(.taskFailed(key: key, error: $0)) }, action)
  }

  /// Runs asynchronous work as ``task(key:mode:priority:_:)`` does, but on no actor.
  ///
  /// - Parameters:
  ///   - key: The key. Of the tasks with equal keys, one runs at a time; by default, a distinct
  ///     key.
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
    core.tasks.cancel(key)
  }

  /// Cancels every task of this store that has not ended.
  public func cancelAllTasks() {
    core.tasks.cancelAll()
  }

  /// Waits for every task of this store, those included that are started meanwhile.
  ///
  /// Not to be called by one of them, which would wait for itself.
  public func waitForAllTasks() async {
    await core.tasks.waitForAll()
  }
}
