extension StoreComponentType {
  /// Undoes the last step that changed a part of the state, in that part alone. The rest of the
  /// state is unchanged, and the step's other changes can still be undone.
  ///
  /// Later changes of the part by commits with ``UndoRecording/none`` are kept, as by ``undo()``.
  /// The redo steps of the whole state are removed. Inside a commit of this store it stops.
  ///
  /// - Returns: Whether there was a step that changed the part.
  /// - Complexity: O(*n*) comparisons of the part, where *n* is the number of steps, and one
  ///   comparison of the state for each later step.
  @discardableResult
  public func undo<Part: Equatable & Sendable>(
    _ part: any WritableKeyPath<State, Part> & Sendable
  ) -> Bool { store.core.undo(part) }

  /// Redoes the last undo of a part of the state, in that part alone, unless the part has changed
  /// since, even by a commit that is not a step.
  ///
  /// Inside a commit of this store it stops.
  ///
  /// - Returns: Whether there was an undo of the part to redo.
  @discardableResult
  public func redo<Part: Equatable & Sendable>(
    _ part: any WritableKeyPath<State, Part> & Sendable
  ) -> Bool { store.core.redo(part) }

  /// Returns whether a step that can be undone changed a part of the state.
  /// - Complexity: O(*n*) comparisons of the part, where *n* is the number of steps.
  public func canUndo<Part: Equatable & Sendable>(
    _ part: any WritableKeyPath<State, Part> & Sendable
  ) -> Bool { store.core.canUndo(part) }

  /// Returns whether an undo of a part of the state can be redone.
  public func canRedo<Part>(_ part: any WritableKeyPath<State, Part> & Sendable) -> Bool {
    !store.core.history.undone(part).isEmpty
  }
}
