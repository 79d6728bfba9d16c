extension Store {
  /// Changes the state, as ``commit(_:_:)`` does, and says whether the change can be undone.
  ///
  /// ```swift
  /// store.commit("Rename") { $0.title = "New" }
  /// store.commit(undo: .none) { $0.messages = messages }   // what a server sent
  /// store.undo()                                            // the title; the messages stay
  /// ```
  ///
  /// A commit with ``UndoRecording/none`` is no step. Undoing a step that was made before it takes back
  /// the edit of the step alone, and keeps this commit:
  /// - in databases by rows: what the step changed is taken back in the rows as they are now. A row
  ///   that has changed since stays as it is, which is reported as an ``UndoConflict``. A state that is
  ///   a database is treated so, and every database in the state whose key path has been given to the
  ///   store before, for example to ``entity(_:in:)``, ``query(_:in:)``, ``ref(_:in:)`` or a draft;
  /// - in all other parts of the state by replaying the closure on the state before the step. So it
  ///   must edit the state and do nothing else. A closure that throws then is left out and reported.
  ///
  /// Nothing is replayed for a commit that changed databases only. Redoing works alike, and such a
  /// commit does not rule it out. Closures are kept for as long as there is a step before them; where
  /// there are more than 1,000, the oldest steps are forgotten. Inside another commit, the outer one
  /// decides.
  ///
  /// - Parameters:
  ///   - name: A name for the change.
  ///   - context: The custom values that observers read in ``Changes/context``.
  ///   - undo: Whether the commit is an undo step.
  ///   - body: A closure that edits the state. It is called again when the commit is replayed.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure; the state is then unchanged, and no observer is notified.
  @discardableResult
  public func commit<Result>(
    _ name: String? = nil, context: CommitContext = CommitContext(), undo: UndoRecording,
    _ body: @escaping @Sendable (inout State) throws -> Result
  ) rethrows -> Result {
    let mark = CommitMark(name: name, context: context)
    if undo == .step { return try core.commit(mark, body) }
    var fate = CommitFate()
    let result = try core.makeUnrecorded(mark, &fate, body)
    if let refusal = fate.refusal { core.reportRefusal(refusal, of: mark) }
    return result
  }

  /// Changes the state, as ``commit(_:context:undo:_:)`` does, and throws what a middleware refuses.
  ///
  /// - Parameters:
  ///   - name: A name for the change.
  ///   - context: The custom values that observers read in ``Changes/context``.
  ///   - undo: Whether the commit is an undo step.
  ///   - body: A closure that edits the state. It is called again when the commit is replayed.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure or of a ``StoreMiddleware``; the state is then unchanged,
  ///   and no observer is notified.
  @discardableResult
  public func tryCommit<Result>(
    _ name: String? = nil, context: CommitContext = CommitContext(), undo: UndoRecording,
    _ body: @escaping @Sendable (inout State) throws -> Result
  ) throws -> Result {
    try core.commitOrThrow(CommitMark(name: name, context: context), undo: undo, body)
  }
}

extension StoreCore {
  /// Makes a commit that may be no step, and throws why it was refused.
  func commitOrThrow<Result>(
    _ mark: CommitMark, undo: UndoRecording,
    _ body: @escaping @Sendable (inout State) throws -> Result
  ) throws -> Result {
    if undo == .step { return try commitOrThrow(mark, body) }
    var fate = CommitFate()
    let result = try makeUnrecorded(mark, &fate, body)
    if let refusal = fate.refusal { throw refusal }
    return result
  }
}
