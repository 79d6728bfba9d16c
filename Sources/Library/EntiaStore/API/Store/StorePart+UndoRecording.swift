extension StorePart {
  /// Changes the state, like ``commit(_:context:coalescing:fileID:line:_:)``, by a commit that need
  /// not be an undo step.
  ///
  /// ```swift
  /// store.commit("Rename") { $0.title = "New" }
  /// store.commit(undo: .none) { $0.messages = messages }   // from a server
  /// store.undo()                                            // the title; the messages stay
  /// ```
  ///
  /// A commit with ``UndoRecording/none`` is not a step. Undoing an earlier step reverts only the
  /// edit of that step, and keeps this commit:
  /// - In databases, the changes of the step are reverted row by row. Changes of different members
  ///   of a row are combined, as when a draft is saved. A row is kept if a later commit has given
  ///   another value to a member that the step changed. A row is not restored if it references, by
  ///   `cascade` or `deny`, an entity that a later commit removed. If the insertion of an entity is
  ///   undone, the delete rules apply to the rows of later commits that reference the entity. Rows
  ///   that are kept, not restored, or removed by a delete rule are reported as an
  ///   ``UndoConflict``.
  /// - In all other parts of the state, such as the databases in an array, the closure of this
  ///   commit is replayed on the state before the undone step. The closure must therefore edit the
  ///   state without other effects. If it throws during the replay, it is called again with the
  ///   databases that result from the undo, which have its own changes, too. It must therefore
  ///   change other parts even if it finds its own rows. If it throws again, it is skipped and
  ///   reported.
  ///
  /// The first rule applies to the state, if it is a database, and to databases in stored
  /// properties of the state. The key path of such a property must have been passed to the store,
  /// for example to `batch`, ``entity(_:in:)``, ``query(_:in:)``, ``ref(_:in:)`` or a draft.
  ///
  /// A commit that changed only such databases is not replayed. Redoing works in the same way, and
  /// is still possible after a commit that is not a step. The store keeps the closure of this
  /// commit as long as there is an earlier step. If the store has more than 1,000 such closures,
  /// the oldest steps are discarded.
  ///
  /// - Parameters:
  ///   - name: A name for the change.
  ///   - context: The custom values that observers read in ``Changes/context``.
  ///   - undo: Whether the commit is an undo step.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - body: A closure that edits the state. It is called again when the commit is replayed.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure; the state is then unchanged, and no observer is notified.
  @discardableResult
  public func commit<Result>(
    _ name: String? = nil, context: CommitContext = CommitContext(), undo: UndoRecording,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ body: @escaping @Sendable (inout State) throws -> Result
  ) rethrows -> Result {
    let path = pathInStore
    let metadata = CommitMetadata(name: name, context: context)
    let request = CommitRequest(metadata, undo: undo, at: fileID, line: line) {
      (whole: inout Whole) in try body(&whole[keyPath: path])
    }
    return try store.core.commit(request) { try body(&$0[keyPath: path]) }
  }

  /// Changes the state, like ``commit(_:context:undo:fileID:line:_:)``, and throws the refusal of a
  /// middleware.
  ///
  /// - Parameters:
  ///   - name: A name for the change.
  ///   - context: The custom values that observers read in ``Changes/context``.
  ///   - undo: Whether the commit is an undo step.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - body: A closure that edits the state. It is called again when the commit is replayed.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure or of a ``StoreMiddleware``; the state is then unchanged,
  ///   and no observer is notified.
  @discardableResult
  public func tryCommit<Result>(
    _ name: String? = nil, context: CommitContext = CommitContext(), undo: UndoRecording,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ body: @escaping @Sendable (inout State) throws -> Result
  ) throws -> Result {
    let path = pathInStore
    let edit: @Sendable (inout Whole) throws -> Result = { try body(&$0[keyPath: path]) }
    let metadata = CommitMetadata(name: name, context: context)
    return try store.core.commitOrThrow(
      CommitRequest(metadata, undo: undo, at: fileID, line: line, replaying: edit), edit)
  }
}

extension StorePart {
  /// Ends the coalescing of the last undo step: the next commit is a separate step.
  ///
  /// Call it, for example, when a text field loses the focus. It does not end a group.
  public func endCoalescing() {
    store.core.history.contents.withLock { $0.steps.endCoalescing() }
  }

  /// Combines the commits of a closure into one undo step.
  ///
  /// Each commit is still delivered to observers individually. If the closure throws, none of the
  /// commits is reverted. Concurrent commits of other threads also belong to the step. The commits
  /// of a nested group become part of the outer step, and the nested group's name is ignored.
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

  /// Begins a group. All commits until the end of the group form one undo step.
  ///
  /// An undo inside the group undoes the group's commits so far; later commits form a separate
  /// step.
  package func beginUndoGroup(_ name: String? = nil) {
    store.core.history.contents.withLock { $0.steps.beginGroup(name) }
  }

  /// Ends the innermost group; does nothing if there is none.
  package func endUndoGroup() {
    store.core.history.contents.withLock { $0.steps.endGroup() }
  }
}

extension StorePart {
  /// Undoes the last step that changed a part of the state, in that part alone. The rest of the
  /// state is unchanged, and the step's other changes can still be undone.
  ///
  /// Like ``Store/undo()``, the undo keeps later changes of the part by commits with
  /// ``UndoRecording/none``. If the undo changes nothing because of these later changes, the undo
  /// cannot be redone. The undo removes the redo steps of the whole state. Calling this method
  /// inside a commit of this store is a programming error that terminates the process.
  ///
  /// - Returns: Whether there was a step that changed the part.
  /// - Complexity: O(*n*) comparisons of the part, where *n* is the number of steps. In addition,
  ///   one comparison of the state, and one copy of the state for each later step.
  @discardableResult
  public func undo<Part: Equatable & Sendable>(
    _ part: any WritableKeyPath<State, Part> & Sendable
  ) -> Bool { store.core.undo(wholePath(to: part)) }

  /// Redoes the last undo of a part of the state, in that part alone. Does nothing if the part has
  /// changed since that undo, even by a commit that is not a step. But such a commit is kept if it
  /// changed only the ages and answers of received rows, in a database whose key path has been
  /// passed to the store.
  ///
  /// Calling this method inside a commit of this store is a programming error that terminates the
  /// process.
  ///
  /// - Returns: Whether there was an undo of the part to redo.
  @discardableResult
  public func redo<Part: Equatable & Sendable>(
    _ part: any WritableKeyPath<State, Part> & Sendable
  ) -> Bool { store.core.redo(wholePath(to: part)) }

  /// Returns whether any undoable step changed a part of the state.
  /// - Complexity: O(*n*) comparisons of the part, where *n* is the number of steps.
  public func canUndo<Part: Equatable & Sendable>(
    _ part: any WritableKeyPath<State, Part> & Sendable
  ) -> Bool { store.core.canUndo(wholePath(to: part)) }

  /// Returns whether an undo of a part of the state can be redone.
  public func canRedo<Part>(_ part: any WritableKeyPath<State, Part> & Sendable) -> Bool {
    !store.core.history.undone(wholePath(to: part)).isEmpty
  }
}
