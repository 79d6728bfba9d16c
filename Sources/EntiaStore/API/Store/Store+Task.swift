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
  ///   - key: Of tasks with equal keys one runs at a time; a key of its own, when none is given.
  ///   - mode: What becomes of those that have not ended.
  ///   - priority: The priority of the work; the caller's, when none is given.
  ///   - action: The work. A task that is canceled before its turn comes never runs it.
  /// - Returns: The task, to be waited for or canceled; it may be ignored.
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
  ///   - key: Of tasks with equal keys one runs at a time; a key of its own, when none is given.
  ///   - mode: What becomes of those that have not ended.
  ///   - priority: The priority of the work; the caller's, when none is given.
  ///   - action: The work.
  /// - Returns: The task, to be waited for or canceled; it may be ignored.
  @discardableResult
  public func taskDetached<Result: Sendable>(
    key: StoreTaskKey = .distinct(), mode: StoreTaskMode = .dropCurrent,
    priority: TaskPriority? = nil, _ action: @escaping @Sendable () async throws -> Result
  ) -> Task<Result, any Error> {
    task(key: key, mode: mode, priority: priority, action)
  }

  /// Cancels the tasks with a key, those that wait for their turn included.
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
