extension Store {
  /// Takes back the last step: the state becomes what it was before, and observers are told.
  ///
  /// A step is a commit that changed something, a group of them, or several that coalesced. The
  /// undo is a commit too, named after the step. Inside a commit of this store it does nothing.
  ///
  /// - Returns: Whether there was a step to undo.
  /// - Complexity: That of a commit.
  @discardableResult
  public func undo() -> Bool { core.undo() }

  /// Does again what was undone last; any other commit that changes something rules it out.
  ///
  /// Inside a commit of this store it does nothing.
  ///
  /// - Returns: Whether there was a step to redo.
  /// - Complexity: That of a commit.
  @discardableResult
  public func redo() -> Bool { core.redo() }

  /// Whether there is a step to undo.
  public var canUndo: Bool { !core.history.steps.undoable.isEmpty }

  /// Whether there is a step to redo.
  public var canRedo: Bool { !core.history.steps.redoable.isEmpty }

  /// The name of the step that would be undone; `nil` when it has none or there is none.
  public var undoName: String? { core.history.steps.undoable.last?.name }

  /// The name of the step that would be redone; `nil` when it has none or there is none.
  public var redoName: String? { core.history.steps.redoable.last?.name }

  /// The state that undoing would give, for showing what would be undone; `nil` when there is
  /// nothing to undo.
  public var undoState: State? { core.history.steps.undoable.last?.target.value }

  /// The state that redoing would give; `nil` when there is nothing to redo.
  public var redoState: State? { core.history.steps.redoable.last?.target.value }

  /// The names of all steps that can be undone, the next one first.
  /// - Complexity: O(*n*) in their number.
  public var undoNames: [String?] { core.history.steps.undoable.elements.reversed().map(\.name) }

  /// The names of all steps that can be redone, the next one first.
  /// - Complexity: O(*n*) in their number.
  public var redoNames: [String?] { core.history.steps.redoable.reversed().map(\.name) }

  /// Forgets every step; the state stays as it is.
  public func clearHistory() { core.history.clear() }
}

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
  ///   - body: Edits the state.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws; the state is then as it was, and nobody is notified.
  @discardableResult
  public func commit<Result>(
    _ name: String? = nil, coalescing: UndoCoalescing,
    _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    try core.commit(name, undo: coalescing, body)
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
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws.
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

extension Store {
  /// Takes back the last step that changed a part of the state, in that part alone: everything
  /// else stays as it is, and what the step did elsewhere can still be undone.
  ///
  /// What could be redone for the state as a whole is ruled out. Inside a commit of this store it
  /// does nothing.
  ///
  /// - Returns: Whether there was a step that changed the part.
  /// - Complexity: O(*n*) comparisons of the part in the number of steps, and of the state in the
  ///   number of steps since.
  @discardableResult
  public func undo<Part: Equatable & Sendable>(
    _ part: any WritableKeyPath<State, Part> & Sendable
  ) -> Bool { core.undo(part) }

  /// Does again what was last undone in a part of the state, in that part alone; any other change
  /// of the part rules it out.
  ///
  /// Inside a commit of this store it does nothing.
  ///
  /// - Returns: Whether there was something to redo.
  @discardableResult
  public func redo<Part: Equatable & Sendable>(
    _ part: any WritableKeyPath<State, Part> & Sendable
  ) -> Bool { core.redo(part) }

  /// Whether a step that can be undone changed a part of the state.
  /// - Complexity: O(*n*) comparisons of the part in the number of steps.
  public func canUndo<Part: Equatable & Sendable>(
    _ part: any WritableKeyPath<State, Part> & Sendable
  ) -> Bool { core.canUndo(part) }

  /// Whether something undone in a part of the state can be done again.
  public func canRedo<Part>(_ part: any WritableKeyPath<State, Part> & Sendable) -> Bool {
    core.history.contents.withLock { $0.parts[part]?.isEmpty == false }
  }
}
