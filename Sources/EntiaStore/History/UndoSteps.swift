/// The steps that can be undone and redone, whatever it is that they lead to.
///
/// Calls no user's code: what is thrown away is given back to be released by the caller.
struct UndoSteps<Version> {
  struct Step {
    /// What undoing, or redoing, this step gives.
    var target: Version
    let name: String?
    /// When a step that takes in later edits of its name was last added to.
    var time: UndoTime?
    /// Whether later edits may still become part of it.
    var isOpen = true
  }

  private(set) var undoable: BoundedStack<Step>
  private(set) var redoable: [Step] = []
  private var openGroups = 0
  private var groupName: String?
  private var groupHasStep = false

  init(depth: Int) {
    undoable = BoundedStack(limit: depth)
  }

  var isGrouping: Bool { openGroups > 0 }

  /// Notes an edit that led away from a version, and gives what is not needed any more.
  mutating func record(
    from before: Version, name: String?, coalescing: UndoCoalescing,
    at time: UndoTime?
  ) -> (redoable: [Step], forgotten: Step?) {
    let outdated = redoable
    if !outdated.isEmpty { redoable = [] }
    if isGrouping, groupHasStep { return (outdated, nil) }
    if !isGrouping, joins(name, coalescing, time) {
      undoable.updateLast { $0.time = time ?? $0.time }
      return (outdated, nil)
    }
    groupHasStep = isGrouping
    let step = Step(
      target: before, name: isGrouping ? groupName ?? name : name, time: isGrouping ? nil : time)
    return (outdated, undoable.push(step))
  }

  /// The version to go back to, in exchange for the current one.
  mutating func undo(from current: Version) -> Step? {
    guard let step = undoable.popLast() else { return nil }
    redoable.append(Step(target: current, name: step.name))
    seal()
    return step
  }

  /// The version to go forward to, in exchange for the current one.
  mutating func redo(from current: Version) -> Step? {
    guard let step = redoable.popLast() else { return nil }
    // There is room: what can be redone has been undone before.
    _ = undoable.push(Step(target: current, name: step.name))
    seal()
    return step
  }

  mutating func beginGroup(_ name: String?) {
    if openGroups == 0 {
      groupName = name
      groupHasStep = false
    }
    openGroups += 1
  }

  mutating func endGroup() {
    guard openGroups > 0 else { return }
    openGroups -= 1
    if openGroups == 0 { seal() }
  }

  /// Forgets every step, and gives them back.
  mutating func removeAll() -> [Step] {
    let dropped = undoable.elements + redoable
    undoable = BoundedStack(limit: undoable.limit)
    redoable = []
    groupHasStep = false
    return dropped
  }

  /// Puts other steps in place of those that can be undone, and forgets those that can be redone.
  mutating func rewrite(_ steps: [Step]) -> [Step] {
    let dropped = removeAll()
    for step in steps { _ = undoable.push(step) }
    seal()
    return dropped
  }

  private mutating func seal() {
    undoable.updateLast { $0.isOpen = false }
    groupHasStep = false
  }

  private func joins(
    _ name: String?, _ coalescing: UndoCoalescing, _ time: UndoTime?
  ) -> Bool {
    guard let last = undoable.last, last.isOpen else { return false }
    switch coalescing.kind {
    case .never: return false
    case .always: return true
    case .sameName(let duration):
      guard let time, let lastTime = last.time, last.name == name else { return false }
      return time.elapsed - lastTime.elapsed <= duration
    }
  }
}

extension UndoSteps: Sendable where Version: Sendable {}
extension UndoSteps.Step: Sendable where Version: Sendable {}

extension UndoSteps.Step: Equatable where Version: Equatable {
  /// Times are no part of it: they say what may still be added, not what is there.
  static func == (first: Self, second: Self) -> Bool {
    first.name == second.name && first.target == second.target
  }
}

extension UndoSteps: Equatable where Version: Equatable {
  static func == (first: UndoSteps, second: UndoSteps) -> Bool {
    first.openGroups == second.openGroups && first.undoable.limit == second.undoable.limit
      && first.undoable.elements == second.undoable.elements && first.redoable == second.redoable
  }
}
