extension History {
  /// Whether there is a step to undo.
  public var canUndo: Bool { !steps.undoable.isEmpty }

  /// Whether there is a step to redo.
  public var canRedo: Bool { !steps.redoable.isEmpty }

  /// The number of steps can be undone.
  public var undoCount: Int { steps.undoable.count }

  /// The number of steps can be redone.
  public var redoCount: Int { steps.redoable.count }

  /// The maximum number of steps.
  public var depth: Int { steps.undoable.limit }

  /// The name of the step that would be undone; `nil` if it has no name or there is no step.
  public var undoName: String? { steps.undoable.last?.name }

  /// The name of the step that would be redone; `nil` if it has no name or there is no step.
  public var redoName: String? { steps.redoable.last?.name }

  /// The value after an undo, or `nil` if there is no step to undo.
  public var undoValue: Value? { steps.undoable.last?.target }

  /// The value after a redo, or `nil` if there is no step to redo.
  public var redoValue: Value? { steps.redoable.last?.target }

  /// The names of all steps that can be undone, the next one first.
  /// - Complexity: O(*n*) in their number.
  public var undoNames: [String?] { steps.undoable.elements.reversed().map(\.name) }

  /// The names of all steps that can be redone, the next one first.
  /// - Complexity: O(*n*) in their number.
  public var redoNames: [String?] { steps.redoable.reversed().map(\.name) }
}

extension History {
  /// Combines several edits into one step.
  ///
  /// A nested group is part of the outer one, and of its name.
  ///
  /// - Parameters:
  ///   - name: The name of the step; by default, the name of its first edit.
  ///   - body: A closure that makes the edits.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure; the history is then unchanged.
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

  /// Ends the run of edits that form the last step: the next edit is a separate one. It does not
  /// end a group.
  public mutating func endCoalescing() { steps.endCoalescing() }

  /// Begins a group: the edits until its end form one step.
  ///
  /// An undo inside the group undoes its edits so far; later edits then form a separate step.
  public mutating func beginGroup(_ name: String? = nil) {
    steps.beginGroup(name)
  }

  /// Ends the innermost group; does nothing if there is none.
  public mutating func endGroup() {
    steps.endGroup()
  }
}
