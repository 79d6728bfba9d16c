extension History {
  /// Whether there is a step to undo.
  public var canUndo: Bool { !steps.undoable.isEmpty }

  /// Whether there is a step to redo.
  public var canRedo: Bool { !steps.redoable.isEmpty }

  /// How many steps can be undone.
  public var undoCount: Int { steps.undoable.count }

  /// How many steps can be redone.
  public var redoCount: Int { steps.redoable.count }

  /// How many steps are remembered at most.
  public var depth: Int { steps.undoable.limit }

  /// The name of the step that would be undone; `nil` when it has none or there is none.
  public var undoName: String? { steps.undoable.last?.name }

  /// The name of the step that would be redone; `nil` when it has none or there is none.
  public var redoName: String? { steps.redoable.last?.name }

  /// The value that undoing would give, or `nil` when there is nothing to undo.
  public var undoValue: Value? { steps.undoable.last?.target }

  /// The value that redoing would give, or `nil` when there is nothing to redo.
  public var redoValue: Value? { steps.redoable.last?.target }

  /// The names of all steps that can be undone, the next one first.
  /// - Complexity: O(*n*) in their number.
  public var undoNames: [String?] { steps.undoable.elements.reversed().map(\.name) }

  /// The names of all steps that can be redone, the next one first.
  /// - Complexity: O(*n*) in their number.
  public var redoNames: [String?] { steps.redoable.reversed().map(\.name) }
}

extension History {
  /// Makes several edits one step.
  ///
  /// A group inside a group is part of the outer one, and of its name.
  ///
  /// - Parameters:
  ///   - name: What the step is called; without one, it has the name of its first edit.
  ///   - body: Makes the edits.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws; the history is then as it was.
  @discardableResult
  public mutating func group<Result>(
    _ name: String? = nil, _ body: (inout History) throws -> Result
  ) rethrows -> Result {
    var edited = self
    edited.beginGroup(name)
    let result = try body(&edited)
    edited.endGroup()
    self = edited
    return result
  }

  /// Begins a group: the edits up to its end are one step.
  ///
  /// An undo inside the group undoes what it holds so far; later edits are then a step of their own.
  public mutating func beginGroup(_ name: String? = nil) {
    steps.beginGroup(name)
  }

  /// Ends the group that was begun last; does nothing when there is none.
  public mutating func endGroup() {
    steps.endGroup()
  }
}
