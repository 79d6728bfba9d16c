extension StoreComponentType {
  /// Changes the state outside the caller's actor, and returns after all observers have been
  /// called.
  ///
  /// The closure runs on the concurrent executor; otherwise this is ``commit(_:fileID:line:_:)``.
  /// The method returns after observers on the main actor and on other queues have been called, so
  /// these must not wait for it.
  ///
  /// The commit is not an undo step unless requested, and undoing an earlier step keeps it, as
  /// described in ``commit(_:context:undo:fileID:line:_:)``. The closure may be called again then,
  /// so it must edit the state without other effects.
  ///
  /// - Parameters:
  ///   - name: A name for the change.
  ///   - undo: Whether the commit is an undo step.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - body: A closure that edits the state.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure or of a ``StoreMiddleware``; the state is then unchanged,
  ///   and no observer is notified.
  @discardableResult
  public func backgroundCommit<Result: Sendable>(
    _ name: String? = nil, undo: UndoRecording = .none,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ body: @escaping @Sendable (inout State) throws -> Result
  ) async throws -> Result {
    let core = store.core
    let result = try await Task.detached(priority: Task.currentPriority) {
      try core.commitOrThrow(
        CommitRequest(
          CommitMetadata(name: name), undo: undo, at: fileID, line: line, replaying: body), body)
    }.value
    await core.broadcaster.waitForDelivery()
    return result
  }
}
