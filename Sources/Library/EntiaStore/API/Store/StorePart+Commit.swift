extension StorePart {
  /// Changes the state: the closure edits a copy, which then replaces the current state.
  ///
  /// Commits are serialized: while the closure runs, commits of other threads wait, and readers see
  /// the previous state. The closure may commit to another store; this commit is performed
  /// immediately. Two cases deadlock and must be avoided:
  /// - The closure waits for another thread that commits to this store.
  /// - Two threads commit to the same two stores, one inside the other, in opposite order.
  ///
  /// A commit to the same store inside the closure is an error like an overlapping access to a
  /// variable: the process stops, and prints the names of both commits, or their files and lines.
  /// This applies to every way to commit: through a scope, a pointer, a batch, a draft or a layer,
  /// and to undoing. Edit the state that the closure receives instead; several commits can share a
  /// function of `inout State` for the same edit. Observers may commit. So may the `deinit` of a
  /// value, if it runs after the closure.
  ///
  /// A ``StoreMiddleware`` may refuse the change. The state is then unchanged, although this method
  /// returns normally. The refusal is reported to the store's logger and its ``onProblem(_:)``
  /// handler. In debug builds, the first refusal is printed if there is neither.
  /// ``tryCommit(_:context:fileID:line:_:)`` throws the refusal.
  ///
  /// If the resulting state equals the previous one, the commit changes nothing and notifies no
  /// observer: inserting a row that equals the existing row is not a change. If the state is not
  /// `Equatable` and the store was created without a comparison, every commit counts as a change;
  /// see ``Store/init(initialState:undoDepth:middleware:logger:isEqual:)``.
  ///
  /// ```swift
  /// store.commit("Typing", coalescing: .sameName(within: .seconds(1))) { $0.text.append("a") }
  /// ```
  ///
  /// - Parameters:
  ///   - name: A name for the change, which observers read in ``Changes/commitName``.
  ///   - context: The custom values that observers read in ``Changes/context``.
  ///   - coalescing: Whether the commit is a separate undo step; by default, it is.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - body: A closure that edits the state.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure; the state is then unchanged, and no observer is notified.
  @inlinable
  @discardableResult
  public func commit<Result>(
    _ name: String? = nil, context: CommitContext = CommitContext(),
    coalescing: UndoCoalescing = .never,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    try store.core.commit(
      CommitRequest(
        CommitMetadata(name: name, context: context), recording: .step(coalescing),
        at: fileID, line: line)
    ) { try withPart(of: &$0, body) }
  }

  /// Changes the state, like ``commit(_:context:coalescing:fileID:line:_:)``, and throws the
  /// refusal of a middleware.
  ///
  /// - Parameters:
  ///   - name: A name for the change.
  ///   - context: The custom values that observers read in ``Changes/context``.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - body: A closure that edits the state.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure or of a ``StoreMiddleware``; the state is then unchanged,
  ///   and no observer is notified.
  @inlinable
  @discardableResult
  public func tryCommit<Result>(
    _ name: String? = nil, context: CommitContext = CommitContext(),
    fileID: StaticString = #fileID, line: UInt = #line,
    _ body: (inout State) throws -> Result
  ) throws -> Result {
    try store.core.commitOrThrow(
      CommitRequest(CommitMetadata(name: name, context: context), at: fileID, line: line)
    ) { try withPart(of: &$0, body) }
  }
}

extension StorePart {
  /// Changes the state outside the caller's actor, and returns after all observers have been
  /// called.
  ///
  /// The closure runs on the concurrent executor; otherwise this method works like
  /// ``commit(_:context:coalescing:fileID:line:_:)``. It returns after observers on the main actor
  /// and on other queues have been called, so the observers must not wait for it.
  ///
  /// By default, the commit is not an undo step. When an earlier step is undone, this commit is
  /// kept, as described in ``commit(_:context:undo:fileID:line:_:)``. The undo may call the closure
  /// again, so the closure must edit the state without other effects.
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
    let (core, path) = (store.core, pathInStore)
    let edit: @Sendable (inout Whole) throws -> Result = { try body(&$0[keyPath: path]) }
    let result = try await Task.detached(priority: Task.currentPriority) {
      try core.commitOrThrow(
        CommitRequest(
          CommitMetadata(name: name), undo: undo, at: fileID, line: line, replaying: edit), edit)
    }.value
    await core.broadcaster.waitForDelivery()
    return result
  }
}

extension StorePart {
  /// Changes the state, like ``commit(_:context:coalescing:fileID:line:_:)``. This overload takes a
  /// function as its argument, instead of a trailing closure: `store.commit(edit)`.
  ///
  /// - Parameters:
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - body: A function that edits the state.
  /// - Returns: The result of the function.
  /// - Throws: The error of the function; the state is then unchanged, and no observer is notified.
  @inlinable
  @discardableResult
  public func commit<Result>(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    try commit(nil, fileID: fileID, line: line, body)
  }

  /// Changes the state, like ``tryCommit(_:context:fileID:line:_:)``. This overload takes a
  /// function as its argument, instead of a trailing closure: `try store.tryCommit(edit)`.
  ///
  /// - Parameters:
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - body: A function that edits the state.
  /// - Returns: The result of the function.
  /// - Throws: The error of the function or of a ``StoreMiddleware``; the state is then unchanged,
  ///   and no observer is notified.
  @inlinable
  @discardableResult
  public func tryCommit<Result>(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ body: (inout State) throws -> Result
  ) throws -> Result {
    try tryCommit(nil, fileID: fileID, line: line, body)
  }

  /// Changes the state, like ``commit(_:context:coalescing:fileID:line:_:)``, and ignores the
  /// result of the closure. The last expression of the closure may therefore be a call with a
  /// result, such as a removal.
  ///
  /// - Parameters:
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - body: A closure that edits the state.
  /// - Throws: The error of the closure; the state is then unchanged, and no observer is notified.
  @inlinable
  public func commit(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ body: (inout State) throws -> Void
  ) rethrows {
    try commit(nil, fileID: fileID, line: line, body)
  }

  /// Changes the state, like ``tryCommit(_:context:fileID:line:_:)``, and ignores the result of the
  /// closure.
  ///
  /// - Parameters:
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - body: A closure that edits the state.
  /// - Throws: The error of the closure or of a ``StoreMiddleware``; the state is then unchanged,
  ///   and no observer is notified.
  @inlinable
  public func tryCommit(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ body: (inout State) throws -> Void
  ) throws {
    try tryCommit(nil, fileID: fileID, line: line, body)
  }
}
