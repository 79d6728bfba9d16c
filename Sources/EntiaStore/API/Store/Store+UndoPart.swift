extension Store {
  /// Takes back the last step that changed a part of the state, in that part alone: everything
  /// else stays as it is, and what the step did elsewhere can still be undone.
  ///
  /// What commits with ``UndoRecording/none`` have changed in the part since is kept, as ``undo()``
  /// keeps it. What could be redone for the state as a whole is ruled out. Inside a commit of this store it
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
  /// of the part rules it out, one by a commit that is no step included.
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
    !core.history.undone(part).isEmpty
  }
}
