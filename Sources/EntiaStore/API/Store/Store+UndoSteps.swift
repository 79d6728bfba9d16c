extension Store {
  /// Changes the state, as ``commit(_:_:)`` does, perhaps as part of the step before.
  ///
  /// ```swift
  /// store.commit("Typing", coalescing: .sameName(within: .seconds(1))) { $0.text.append("a") }
  /// ```
  ///
  /// Inside another commit it is part of that one's step, whatever the coalescing.
  ///
  /// - Parameters:
  ///   - name: A name for the change and its step.
  ///   - coalescing: Whether the commit is a step of its own for undoing.
  ///   - body: A closure that edits the state.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure; the state is then unchanged, and no observer is notified.
  @inlinable
  @discardableResult
  public func commit<Result>(
    _ name: String? = nil, coalescing: UndoCoalescing,
    _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    try core.commit(CommitMark(name: name), undo: coalescing, body)
  }

  /// Makes the commits of a closure one step for undoing.
  ///
  /// Each is still a commit of its own, told to observers one by one; a throw takes none of them
  /// back. Commits of other threads meanwhile belong to the step too. A group inside a group is
  /// part of the outer one, and of its name.
  ///
  /// - Parameters:
  ///   - name: What the step is called; without one, it has the name of its first commit.
  ///   - body: Makes the commits.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure.
  @discardableResult
  public func undoGroup<Result>(
    _ name: String? = nil, _ body: () throws -> Result
  ) rethrows -> Result {
    beginUndoGroup(name)
    defer { endUndoGroup() }
    return try body()
  }

  /// Begins a group: the commits up to its end are one step for undoing.
  ///
  /// An undo meanwhile undoes what the group holds so far; later commits are a step of their own.
  public func beginUndoGroup(_ name: String? = nil) {
    core.history.contents.withLock { $0.steps.beginGroup(name) }
  }

  /// Ends the group that was begun last; does nothing when there is none.
  public func endUndoGroup() {
    core.history.contents.withLock { $0.steps.endGroup() }
  }
}
