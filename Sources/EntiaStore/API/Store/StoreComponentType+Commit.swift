extension StoreComponentType {
  /// Changes the state: the closure edits a copy, which then replaces the current state.
  ///
  /// Commits are serialized: while the closure runs, commits of other threads wait, and readers see
  /// the previous state. The closure must not wait for another thread that commits to this store,
  /// and two stores must not commit inside each other's commits from two threads: both cases
  /// deadlock. Otherwise a commit to another store inside the closure is allowed, and is performed
  /// immediately.
  ///
  /// A commit to the same store inside the closure joins this commit: both are published together,
  /// as one change with this commit's name, or not at all. The nested closure runs immediately, on
  /// the state that this commit began with and the earlier nested edits. It cannot see the
  /// unfinished edits of this closure, because a value that is being edited cannot be read
  /// elsewhere.
  ///
  /// If both have made edits, this closure is called once more on top of the nested edits, so that
  /// neither is lost: the result is as if the nested commits had been made first. The second call
  /// must make the same nested commits; their closures run again, on the same states as before, and
  /// must make the same edits. Otherwise the whole commit is refused with a ``NestedCommitError``,
  /// as by a ``StoreMiddleware``; the usual reason is a nested commit that depends on the
  /// state that this closure reads. A closure with nested commits to its own store should
  /// therefore only edit the state. A state that is not `Equatable` refuses such commits, because
  /// edits cannot be compared.
  ///
  /// A ``StoreMiddleware`` may refuse the change. The state is then unchanged, although this method
  /// returns normally: the refusal is reported to the store's logger and its ``onProblem(_:)``
  /// handler, and printed once in debug builds without either. ``tryCommit(_:_:)`` throws it.
  ///
  /// A commit whose result equals the previous state changes nothing and notifies no observer,
  /// regardless of its writes: inserting a row that equals the existing row is not a change. A
  /// state that is not `Equatable` is changed by every commit, even an empty one, unless the store
  /// was created with a comparison; see
  /// ``Store/init(initialState:undoDepth:middleware:logger:isEqual:)``.
  ///
  /// - Parameters:
  ///   - name: A name for the change, which observers read in ``Changes/commitName``.
  ///   - body: A closure that edits the state.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure; the state is then unchanged, and no observer is notified.
  @inlinable
  @discardableResult
  public func commit<Result>(
    _ name: String? = nil, _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    try store.core.commit(CommitRequest(name: name), body)
  }

  /// Changes the state, like ``commit(_:_:)``, and throws the refusal of a middleware.
  ///
  /// Inside another commit no middleware runs yet; it may refuse the outer commit.
  ///
  /// - Parameters:
  ///   - name: A name for the change.
  ///   - body: A closure that edits the state.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure or of a ``StoreMiddleware``; the state is then unchanged,
  ///   and no observer is notified.
  @inlinable
  @discardableResult
  public func tryCommit<Result>(
    _ name: String? = nil, _ body: (inout State) throws -> Result
  ) throws -> Result {
    try store.core.commitOrThrow(CommitRequest(name: name), body)
  }

  /// Changes the state, like ``commit(_:_:)``, with a context.
  ///
  /// Inside another commit, the context of the outer commit is used.
  ///
  /// - Parameters:
  ///   - name: A name for the change.
  ///   - context: The custom values that observers read in ``Changes/context``.
  ///   - body: A closure that edits the state.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure; the state is then unchanged, and no observer is notified.
  @inlinable
  @discardableResult
  public func commit<Result>(
    _ name: String? = nil, context: CommitContext, _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    try store.core.commit(
      CommitRequest(CommitMetadata(name: name, context: context)), body)
  }

  /// Changes the state, like ``tryCommit(_:_:)``, with a context.
  ///
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure or of a ``StoreMiddleware``; the state is then unchanged,
  ///   and no observer is notified.
  @inlinable
  @discardableResult
  public func tryCommit<Result>(
    _ name: String? = nil, context: CommitContext, _ body: (inout State) throws -> Result
  ) throws -> Result {
    try store.core.commitOrThrow(
      CommitRequest(CommitMetadata(name: name, context: context)), body)
  }
}
