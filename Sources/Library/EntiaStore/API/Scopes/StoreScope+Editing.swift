extension StoreScope {
  /// Changes the part outside the caller's actor, like
  /// ``Store/backgroundCommit(_:undo:fileID:line:_:)``.
  ///
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure or of a ``StoreMiddleware``; the state is then unchanged,
  ///   and no observer is notified.
  @discardableResult
  public func backgroundCommit<Result: Sendable>(
    _ name: String? = nil, undo: UndoRecording = .none,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ body: @escaping @Sendable (inout State) throws -> Result
  ) async throws -> Result {
    let path = path
    return try await store.backgroundCommit(name, undo: undo, fileID: fileID, line: line) {
      try body(&$0[keyPath: path])
    }
  }

  /// Changes the part with a choice whether the change can be undone, like
  /// ``Store/commit(_:context:undo:fileID:line:_:)``.
  ///
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure; the state is then unchanged, and no observer is notified.
  @discardableResult
  public func commit<Result>(
    _ name: String? = nil, undo: UndoRecording,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ body: @escaping @Sendable (inout State) throws -> Result
  ) rethrows -> Result {
    let path = path
    return try store.commit(name, undo: undo, fileID: fileID, line: line) {
      try body(&$0[keyPath: path])
    }
  }

  /// Returns a scope of the store for a part of this part.
  ///
  /// - Returns: A scope, which retains the store.
  public func scope<Part: Sendable>(
    _ part: any WritableKeyPath<State, Part> & Sendable
  ) -> StoreScope<Whole, Part, Activity> {
    store.scope(wholePath(to: part))
  }

  /// Returns a pointer to a part of this part.
  public func ref<Part: Sendable>(
    _ part: any WritableKeyPath<State, Part> & Sendable
  ) -> Ref<Part> {
    ref[part]
  }

  /// Changes the part, possibly as part of the previous step, like
  /// ``Store/commit(_:coalescing:fileID:line:_:)``.
  ///
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure; the state is then unchanged, and no observer is notified.
  @discardableResult
  public func commit<Result>(
    _ name: String? = nil, coalescing: UndoCoalescing,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    try store.commit(name, coalescing: coalescing, fileID: fileID, line: line) {
      try body(&$0[keyPath: path])
    }
  }

  /// Ends the run of commits that form the store's last undo step, like ``Store/endCoalescing()``.
  public func endCoalescing() { store.endCoalescing() }

  /// Combines the commits of a closure into one undo step of the store, like
  /// ``Store/undoGroup(_:_:)``. Commits to other parts of the state belong to it too.
  ///
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure.
  @discardableResult
  public func undoGroup<Result>(
    _ name: String? = nil, _ body: () throws -> Result
  ) rethrows -> Result {
    try store.undoGroup(name, body)
  }

  /// Begins a group of the store: the commits until its end form one undo step.
  public func beginUndoGroup(_ name: String? = nil) { store.beginUndoGroup(name) }

  /// Ends the innermost group of the store; does nothing if there is none.
  public func endUndoGroup() { store.endUndoGroup() }
}

extension StoreScope where State: Equatable {
  /// Undoes the last step that changed the part, in the part alone.
  ///
  /// - Returns: Whether there was a step that changed the part.
  @discardableResult
  public func undo() -> Bool { store.undo(path) }

  /// Redoes the last undo of the part, in the part alone.
  ///
  /// - Returns: Whether there was an undo of the part to redo.
  @discardableResult
  public func redo() -> Bool { store.redo(path) }

  /// Whether a step that can be undone changed the part.
  public var canUndo: Bool { store.canUndo(path) }

  /// Whether an undo of the part can be redone.
  public var canRedo: Bool { store.canRedo(path) }
}

extension StoreScope {
  /// Changes the part by a function value, like ``Store/commit(fileID:line:_:)``.
  ///
  /// - Parameters:
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - body: A closure that edits the part.
  /// - Returns: The result of the function.
  /// - Throws: The error of the function; the state is then unchanged, and no observer is notified.
  @discardableResult
  public func commit<Result>(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    try commit(nil, fileID: fileID, line: line, body)
  }

  /// Changes the part by a closure or a function whose result, if it has any, is not returned.
  ///
  /// - Parameters:
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - body: A closure that edits the part.
  /// - Throws: The error of the closure; the state is then unchanged, and no observer is notified.
  public func commit(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ body: (inout State) throws -> Void
  ) rethrows {
    try commit(nil, fileID: fileID, line: line, body)
  }
}
