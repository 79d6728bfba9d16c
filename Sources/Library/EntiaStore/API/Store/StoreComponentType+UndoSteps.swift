extension StoreComponentType {
  /// Changes the state, like ``commit(_:fileID:line:_:)``, possibly as part of the previous step.
  ///
  /// ```swift
  /// store.commit("Typing", coalescing: .sameName(within: .seconds(1))) { $0.text.append("a") }
  /// ```
  ///
  /// - Parameters:
  ///   - name: A name for the change and its step.
  ///   - coalescing: Whether the commit is a separate undo step.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - body: A closure that edits the state.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure; the state is then unchanged, and no observer is notified.
  @inlinable
  @discardableResult
  public func commit<Result>(
    _ name: String? = nil, coalescing: UndoCoalescing,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    try store.core.commit(
      CommitRequest(
        CommitMetadata(name: name), recording: .step(coalescing), at: fileID, line: line), body)
  }

  /// Ends the run of commits that form the last undo step: the next commit is a separate one.
  ///
  /// Call it, for example, when a text field loses the focus. It does not end a group.
  public func endCoalescing() {
    store.core.history.contents.withLock { $0.steps.endCoalescing() }
  }

  /// Combines the commits of a closure into one undo step.
  ///
  /// Each is still a separate commit, delivered to observers individually; a thrown error reverts
  /// none of them. Concurrent commits of other threads also belong to the step. A nested group is
  /// part of the outer one, and of its name.
  ///
  /// - Parameters:
  ///   - name: The name of the step; by default, the name of its first commit.
  ///   - body: A closure that makes the commits.
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

  /// Begins a group: the commits until its end form one undo step.
  ///
  /// An undo inside the group undoes its commits so far; later commits form a separate step.
  public func beginUndoGroup(_ name: String? = nil) {
    store.core.history.contents.withLock { $0.steps.beginGroup(name) }
  }

  /// Ends the innermost group; does nothing if there is none.
  public func endUndoGroup() {
    store.core.history.contents.withLock { $0.steps.endGroup() }
  }
}
