extension StoreComponentType {
  /// Changes the state: the closure edits a copy, which then replaces the current state.
  ///
  /// Commits are serialized: while the closure runs, commits of other threads wait, and readers see
  /// the previous state. The closure must not wait for another thread that commits to this store,
  /// and two stores must not commit inside each other's commits from two threads: both cases
  /// deadlock. Otherwise a commit to another store inside the closure is allowed, and is performed
  /// immediately.
  ///
  /// A commit to the same store inside the closure is an error like an overlapping access to a
  /// variable: the process stops, and prints the names of both commits, or their files and lines.
  /// This applies to every way to commit: through a scope, a pointer, a batch, a draft or a layer,
  /// and to undoing. Edit the state that the closure is given, with a function of `inout State`
  /// where several commits make the same edit. Observers may commit, as may a value's `deinit`
  /// after the closure.
  ///
  /// A ``StoreMiddleware`` may refuse the change. The state is then unchanged, although this method
  /// returns normally: the refusal is reported to the store's logger and its ``onProblem(_:)``
  /// handler, and printed once in debug builds without either. ``tryCommit(_:fileID:line:_:)``
  /// throws it.
  ///
  /// A commit whose result equals the previous state changes nothing and notifies no observer,
  /// regardless of its writes: inserting a row that equals the existing row is not a change. A
  /// state that is not `Equatable` is changed by every commit, even an empty one, unless the store
  /// was created with a comparison; see
  /// ``Store/init(initialState:undoDepth:middleware:logger:isEqual:)``.
  ///
  /// - Parameters:
  ///   - name: A name for the change, which observers read in ``Changes/commitName``.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - body: A closure that edits the state.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure; the state is then unchanged, and no observer is notified.
  @inlinable
  @discardableResult
  public func commit<Result>(
    _ name: String? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    try store.core.commit(CommitRequest(name: name, at: fileID, line: line), body)
  }

  /// Changes the state, like ``commit(_:fileID:line:_:)``, and throws the refusal of a middleware.
  ///
  /// - Parameters:
  ///   - name: A name for the change.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - body: A closure that edits the state.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure or of a ``StoreMiddleware``; the state is then unchanged,
  ///   and no observer is notified.
  @inlinable
  @discardableResult
  public func tryCommit<Result>(
    _ name: String? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ body: (inout State) throws -> Result
  ) throws -> Result {
    try store.core.commitOrThrow(CommitRequest(name: name, at: fileID, line: line), body)
  }

  /// Changes the state, like ``commit(_:fileID:line:_:)``, with a context.
  ///
  /// - Parameters:
  ///   - name: A name for the change.
  ///   - context: The custom values that observers read in ``Changes/context``.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - body: A closure that edits the state.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure; the state is then unchanged, and no observer is notified.
  @inlinable
  @discardableResult
  public func commit<Result>(
    _ name: String? = nil, context: CommitContext,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    try store.core.commit(
      CommitRequest(CommitMetadata(name: name, context: context), at: fileID, line: line), body)
  }

  /// Changes the state, like ``tryCommit(_:fileID:line:_:)``, with a context.
  ///
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure or of a ``StoreMiddleware``; the state is then unchanged,
  ///   and no observer is notified.
  @inlinable
  @discardableResult
  public func tryCommit<Result>(
    _ name: String? = nil, context: CommitContext,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ body: (inout State) throws -> Result
  ) throws -> Result {
    try store.core.commitOrThrow(
      CommitRequest(CommitMetadata(name: name, context: context), at: fileID, line: line), body)
  }
}
