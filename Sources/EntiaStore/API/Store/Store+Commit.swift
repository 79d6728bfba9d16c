extension Store {
  /// Changes the state: the closure edits a copy, which is then swapped in.
  ///
  /// Commits take turns: while the closure runs, commits of other threads wait, and readers see
  /// the state before. Do not make the closure wait for another thread that commits here, and do
  /// not let two stores commit inside each other's commits from two threads: both would wait
  /// forever. A commit to another store inside the closure is fine otherwise, and is made at once.
  ///
  /// A commit inside the closure, to this same store, joins this one: both are published together,
  /// as one change under this one's name, or not at all. The inner closure runs at once, on the
  /// state this commit began with and the inner edits before it; it cannot see what this closure
  /// has not finished, because a value that is being edited cannot be read elsewhere.
  ///
  /// When both have made edits, this closure is called once more, on top of the inner ones, so
  /// that neither is lost: the result is as if the inner commits had been made first. The second call
  /// must make the same inner commits; their closures run again, on what they were given before, and
  /// must make the same edits. Otherwise the whole commit is refused with a ``NestedCommitError``, as
  /// by a ``StoreMiddleware``; an inner commit that depends on what this closure sees is the usual
  /// reason. A closure with commits to its own store inside should therefore do nothing else than edit
  /// the state, and a state that is not `Equatable` refuses them, because edits cannot be compared.
  ///
  /// A ``StoreMiddleware`` may refuse the change. The state is then as it was, although this returns
  /// normally: the refusal is reported to the store's logger and its ``onProblem(_:)`` handler, and
  /// printed once in debug builds that have neither. ``tryCommit(_:_:)`` throws it.
  ///
  /// A commit that leaves the state equal to what it was changes nothing and notifies no observer,
  /// whatever it wrote: inserting a row that is equal to the one in the table is no change. A state
  /// that is not `Equatable` is changed by every commit, even an empty one, unless the store was
  /// created with a comparison; see ``init(initialState:undoDepth:middleware:logger:isEqual:)``.
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
    try core.commit(CommitMark(name: name), body)
  }

  /// Changes the state, as ``commit(_:_:)`` does, and throws what a middleware refuses.
  ///
  /// Inside another commit there is nothing to throw yet: the outer one is the one to be refused.
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
    try core.commitOrThrow(CommitMark(name: name), body)
  }

  /// Changes the state, as ``commit(_:_:)`` does, and says more about it.
  ///
  /// Inside another commit, that one's context is the one that counts.
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
    try core.commit(CommitMark(name: name, context: context), body)
  }

  /// Changes the state, as ``tryCommit(_:_:)`` does, and says more about it.
  ///
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure or of a ``StoreMiddleware``; the state is then unchanged,
  ///   and no observer is notified.
  @inlinable
  @discardableResult
  public func tryCommit<Result>(
    _ name: String? = nil, context: CommitContext, _ body: (inout State) throws -> Result
  ) throws -> Result {
    try core.commitOrThrow(CommitMark(name: name, context: context), body)
  }
}
