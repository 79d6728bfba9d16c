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
    /// The commits since that are no steps; `nil` when there are none.
    var later: LaterCommits<Version>?

    /// Adds commits that are no steps.
    ///
    /// - Parameter origin: The version before them.
    mutating func keep(_ edits: [AnyReplayableEdit], since origin: Version) {
      if later == nil { later = LaterCommits(origin: origin) }
      later?.edits += edits
    }

    /// Adds the commits after a step above this one, which is taken out.
    mutating func inherit(from step: Step) {
      if let later = step.later { keep(later.edits, since: step.target) }
    }
  }

  /// What recording an edit leaves to the caller.
  struct Recorded {
    /// Steps that are to be released.
    var outdated: [Step] = []
    var forgotten: Step?
    /// Whether the edit has become part of a step after which there are commits that are no steps.
    var joinsBeyondCommits = false
  }

  /// How many edits of commits that are no steps are kept before the oldest steps are forgotten.
  static var editLimit: Int { 1000 }

  private(set) var undoable: BoundedStack<Step>
  private(set) var redoable: [Step] = []
  private var openGroups = 0
  private var groupName: String?
  private var groupHasStep = false

  init(depth: Int) {
    undoable = BoundedStack(limit: depth)
  }

  var isGrouping: Bool { openGroups > 0 }

  /// Notes an edit that led away from a version.
  mutating func record(
    from before: Version, name: String?, coalescing: UndoCoalescing,
    at time: UndoTime?
  ) -> Recorded {
    var recorded = Recorded(outdated: redoable)
    if !recorded.outdated.isEmpty { redoable = [] }
    let joinsGroup = isGrouping && groupHasStep
    if joinsGroup || !isGrouping && joins(name, coalescing, time) {
      if !joinsGroup { undoable.updateLast { $0.time = time ?? $0.time } }
      recorded.joinsBeyondCommits = undoable.last?.later != nil
      return recorded
    }
    groupHasStep = isGrouping
    recorded.forgotten = push(
      Step(
        target: before, name: isGrouping ? groupName ?? name : name, time: isGrouping ? nil : time))
    return recorded
  }

  /// Adds a step; returns the one that has no room any more.
  mutating func push(_ step: Step) -> Step? { undoable.push(step) }

  /// Notes a commit that is no step; returns steps that are forgotten.
  ///
  /// - Parameters:
  ///   - edit: Its edit, if it must be made again.
  ///   - before: The version before it.
  mutating func keep(_ edit: AnyReplayableEdit?, since before: Version) -> [Step] {
    let edits = edit.map { [$0] } ?? []
    undoable.updateLast { $0.keep(edits, since: before) }
    if let last = redoable.indices.last { redoable[last].keep(edits, since: before) }
    if edits.isEmpty { return [] }
    var forgotten: [Step] = []
    if redoable.reduce(0, { $0 + $1.editCount }) > Self.editLimit {
      forgotten = redoable
      redoable = []
    }
    var count = undoable.elements.reduce(0) { $0 + $1.editCount }
    while count > Self.editLimit, let step = undoable.popFirst() {
      count -= step.editCount
      forgotten.append(step)
    }
    return forgotten
  }

  /// Replaces the version before the last step by one with the commits since that are no steps, which
  /// the step below keeps from now on; returns what must be released later.
  mutating func rebaseLast(to target: Version) -> Step? {
    guard let step = undoable.popLast() else { return nil }
    undoable.updateLast { $0.inherit(from: step) }
    var rebased = step
    rebased.target = target
    rebased.later = nil
    _ = undoable.push(rebased)
    return step
  }

  /// The version to go back to, in exchange for the current one.
  mutating func undo(from current: Version) -> Step? {
    guard let step = undoable.popLast() else { return nil }
    undoable.updateLast { $0.inherit(from: step) }
    redoable.append(Step(target: current, name: step.name))
    seal()
    return step
  }

  /// The version to go forward to, in exchange for the current one.
  mutating func redo(from current: Version) -> Step? {
    guard let step = redoable.popLast() else { return nil }
    if let last = redoable.indices.last { redoable[last].inherit(from: step) }
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

extension UndoSteps.Step {
  /// How many edits of commits that are no steps it keeps.
  fileprivate var editCount: Int { later?.edits.count ?? 0 }
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
