extension Store {
  /// Takes back the last step: the state becomes what it was before, and observers are told.
  ///
  /// A step is a commit that changed something, a group of them, or several that coalesced. The
  /// undo is a commit too, named after the step. Inside a commit of this store it does nothing.
  ///
  /// Commits made since that are no steps are kept: background commits, confirmed layers, and commits
  /// with ``UndoRecording/none``, where ``commit(_:context:undo:_:)`` says how. An undo that a
  /// middleware or a rule of a database refuses changes nothing; the step can still be undone.
  ///
  /// - Returns: Whether a step was undone.
  /// - Complexity: That of a commit.
  @discardableResult
  public func undo() -> Bool { core.undo() }

  /// Does again what was undone last; another step rules it out.
  ///
  /// Commits made since that are no steps are kept. Inside a commit of this store it does nothing.
  ///
  /// - Returns: Whether a step was redone.
  /// - Complexity: That of a commit.
  @discardableResult
  public func redo() -> Bool { core.redo() }

  /// Whether there is a step to undo.
  public var canUndo: Bool { !core.history.steps.undoable.isEmpty }

  /// Whether there is a step to redo.
  public var canRedo: Bool { !core.history.steps.redoable.isEmpty }

  /// The name of the step that would be undone; `nil` if it has no name or there is no step.
  public var undoName: String? { core.history.steps.undoable.last?.name }

  /// The name of the step that would be redone; `nil` if it has no name or there is no step.
  public var redoName: String? { core.history.steps.redoable.last?.name }

  /// The state that undoing would give, for showing what would be undone; `nil` when there is
  /// nothing to undo.
  /// - Complexity: O(1); after commits with ``UndoRecording/none``, that of an undo.
  public var undoState: State? { core.preview(.back) }

  /// The state that redoing would give; `nil` when there is nothing to redo.
  /// - Complexity: O(1); after commits with ``UndoRecording/none``, that of a redo.
  public var redoState: State? { core.preview(.forward) }

  /// The names of all steps that can be undone, the next one first.
  /// - Complexity: O(*n*) in their number.
  public var undoNames: [String?] { core.history.steps.undoable.elements.reversed().map(\.name) }

  /// The names of all steps that can be redone, the next one first.
  /// - Complexity: O(*n*) in their number.
  public var redoNames: [String?] { core.history.steps.redoable.reversed().map(\.name) }

  /// Forgets every step; the state stays as it is.
  public func clearHistory() { core.history.clear() }
}
