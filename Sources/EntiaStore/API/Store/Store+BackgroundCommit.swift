extension Store {
  /// Changes the state away from the caller's actor, and returns when every observer has been told.
  ///
  /// The closure runs on the concurrent executor; otherwise this is ``commit(_:_:)``. Observers on
  /// the main actor and on other queues have been called when it returns, so one of them must not
  /// block until then.
  ///
  /// It is no step to be undone unless you say so, and undoing an earlier step keeps it, as
  /// ``commit(_:context:undo:_:)`` says: the closure may be called again then, and must edit the state
  /// and do nothing else.
  ///
  /// - Parameters:
  ///   - name: A name for the change.
  ///   - undo: Whether the commit is an undo step.
  ///   - body: A closure that edits the state.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure or of a ``StoreMiddleware``; the state is then unchanged,
  ///   and no observer is notified.
  @discardableResult
  public func backgroundCommit<Result: Sendable>(
    _ name: String? = nil, undo: UndoRecording = .none,
    _ body: @escaping @Sendable (inout State) throws -> Result
  ) async throws -> Result {
    let core = core
    let result = try await Task.detached(priority: Task.currentPriority) {
      try core.commitOrThrow(CommitMark(name: name), undo: undo, body)
    }.value
    await core.hub.waitForDelivery()
    return result
  }
}
