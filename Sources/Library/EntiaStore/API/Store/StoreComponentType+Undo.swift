extension StoreComponentType {
  /// Undoes the last step: restores the state before it, and notifies observers.
  ///
  /// A step is a commit that changed the state, a group of commits, or several coalesced commits.
  /// The undo is a commit too, named after the step. Inside a commit of this store it stops.
  ///
  /// Later commits that are not steps are kept, as described in
  /// ``Store/commit(_:context:undo:fileID:line:_:)``: background commits, confirmed layers, and
  /// commits with ``UndoRecording/none``. An undo that a middleware or a rule of a database refuses
  /// changes nothing, and the step can still be undone.
  ///
  /// - Returns: Whether a step was undone.
  /// - Complexity: The same as that of a commit.
  @discardableResult
  public func undo() -> Bool { store.core.undo() }

  /// Redoes the last undone step, unless another step has been made since.
  ///
  /// Later commits that are not steps are kept. Inside a commit of this store it stops.
  ///
  /// - Returns: Whether a step was redone.
  /// - Complexity: The same as that of a commit.
  @discardableResult
  public func redo() -> Bool { store.core.redo() }

  /// Whether there is a step to undo.
  public var canUndo: Bool { !store.core.history.steps.undoable.isEmpty }

  /// Whether there is a step to redo.
  public var canRedo: Bool { !store.core.history.steps.redoable.isEmpty }

  /// The name of the step that would be undone; `nil` if it has no name or there is no step.
  public var undoName: String? { store.core.history.steps.undoable.last?.name }

  /// The name of the step that would be redone; `nil` if it has no name or there is no step.
  public var redoName: String? { store.core.history.steps.redoable.last?.name }

  /// The state after an undo, for example for a preview; `nil` if there is no step to undo.
  /// - Complexity: O(1); after commits with ``UndoRecording/none``, the same as that of an undo.
  public var undoState: State? { store.core.preview(.back) }

  /// The state after a redo; `nil` if there is no step to redo.
  /// - Complexity: O(1); after commits with ``UndoRecording/none``, the same as that of a redo.
  public var redoState: State? { store.core.preview(.forward) }

  /// The names of all steps that can be undone, the next one first.
  /// - Complexity: O(*n*), where *n* is the number of steps.
  public var undoNames: [String?] {
    store.core.history.steps.undoable.elements.reversed().map(\.name)
  }

  /// The names of all steps that can be redone, the next one first.
  /// - Complexity: O(*n*), where *n* is the number of steps.
  public var redoNames: [String?] { store.core.history.steps.redoable.reversed().map(\.name) }

  /// Removes all steps; the state is unchanged.
  public func clearHistory() { store.core.history.clear() }
}
