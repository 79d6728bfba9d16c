public import EntiaDatabase

/// The steps that can be undone and redone, for any type of version.
///
/// Runs no user code: removed values are returned, to be released by the caller.
struct UndoSteps<Version> {
  struct Step {
    /// The version after undoing, or redoing, this step.
    var target: Version
    let name: String?
    /// The time of the step's last edit, if later edits with the same name may join the step.
    var time: UndoTime?
    /// The target of the step's first edit, if the edit coalesces by its target and is in no group.
    var coalesced: RefPath?
    /// Whether later edits may still become part of the step.
    var isOpen = true
    /// The commits after the step that are not steps themselves; `nil` if there are none.
    var later: LaterCommits<Version>?

    /// Adds edits to the `later` commits.
    ///
    /// - Parameter origin: The version before these edits.
    mutating func keep(_ edits: [ReplayableEdit], since origin: Version) {
      if later == nil { later = LaterCommits(origin: origin) }
      later?.edits += edits
    }

    /// Takes over the `later` commits of `step`. The caller removes `step`, which is above this
    /// step in the stack.
    mutating func inherit(from step: Step) {
      if let later = step.later { keep(later.edits, since: step.target) }
    }
  }

  /// The results of recording an edit. The caller must release or handle them.
  struct Recorded {
    /// The redo steps, which the edit has made obsolete.
    var outdated: [Step] = []
    var discarded: Step?
    var joining = UndoJoining.none
  }

  /// The maximum number of edits in the `later` commits of all undo steps. The oldest undo steps
  /// are discarded to stay within the limit. If the edits of the redo steps exceed the limit, all
  /// redo steps are discarded.
  static var editLimit: Int { 1000 }

  private(set) var undoable: BoundedStack<Step>
  private(set) var redoable: [Step] = []
  /// An upper bound of the number of edits in the `later` commits of the undo steps, and of those
  /// of the redo steps. The edits are counted only when the bound exceeds the limit.
  private var editBound = 0
  private var openGroups = 0
  private var groupName: String?
  private var groupHasStep = false

  init(depth: Int) {
    undoable = BoundedStack(limit: depth)
  }

  var isGrouping: Bool { openGroups > 0 }

  mutating func record(
    from before: Version, name: String?, coalescing: UndoCoalescing,
    at time: UndoTime?
  ) -> Recorded {
    var recorded = Recorded(outdated: redoable)
    if !recorded.outdated.isEmpty { redoable = [] }
    let joinsGroup = isGrouping && groupHasStep
    if joinsGroup || !isGrouping && joins(name, coalescing, time) {
      if !joinsGroup {
        undoable.updateLast { step in
          // An edit other than a write through a pointer ends the series of coalescing writes.
          let endsRun = step.coalesced != nil && coalescing.target == nil
          step.time = endsRun ? nil : time ?? step.time
        }
      }
      recorded.joining = undoable.last?.later == nil ? .joins : .joinsBeyondCommits
      return recorded
    }
    groupHasStep = isGrouping
    recorded.discarded = push(
      Step(
        target: before, name: isGrouping ? groupName ?? name : name, time: isGrouping ? nil : time,
        coalesced: isGrouping ? nil : coalescing.target))
    return recorded
  }

  /// Pushes a step, and returns the discarded step, if any.
  mutating func push(_ step: consuming Step) -> Step? { undoable.push(step) }

  /// Adds a commit to the `later` commits of the next step to undo and of the next step to redo.
  /// The commit itself is not a step. Returns the discarded steps.
  ///
  /// - Parameters:
  ///   - edit: The edit of the commit, if it has to be replayed.
  ///   - before: The version before the commit.
  mutating func keep(_ edit: ReplayableEdit?, since before: Version) -> [Step] {
    let edits = edit.map { [$0] } ?? []
    undoable.updateLast { $0.keep(edits, since: before) }
    if let last = redoable.indices.last { redoable[last].keep(edits, since: before) }
    editBound += edits.count
    if editBound <= Self.editLimit { return [] }
    var discarded: [Step] = []
    let redoCount = redoable.reduce(0) { $0 + $1.editCount }
    if redoCount > Self.editLimit {
      discarded = redoable
      redoable = []
    }
    var count = undoable.elements.reduce(0) { $0 + $1.editCount }
    while count > Self.editLimit, let step = undoable.popFirst() {
      count -= step.editCount
      discarded.append(step)
    }
    editBound = max(count, redoable.isEmpty ? 0 : redoCount)
    // If a group is open, its step has been discarded. The group's next edit must begin a new step.
    if undoable.elements.isEmpty { groupHasStep = false }
    return discarded
  }

  /// Replaces the `target` of the last step by a version that includes the step's `later` commits.
  /// The previous step takes over these commits. Returns the replaced step, to be released by the
  /// caller.
  mutating func rebaseLast(to target: Version) -> Step? {
    guard let step = undoable.popLast() else { return nil }
    undoable.updateLast { $0.inherit(from: step) }
    var rebased = step
    rebased.target = target
    rebased.later = nil
    _ = undoable.push(rebased)
    return step
  }

  /// Removes and returns the last step, because its edits cancel each other out. The next edit is a
  /// separate step.
  mutating func removeLast() -> Step? { undo(from: nil) }

  /// Removes and returns the step to undo, and stores the current version for a redo.
  ///
  /// - Parameter current: The version before the undo; `nil` if the undo changes nothing. There is
  ///   then no redo.
  mutating func undo(from current: Version?) -> Step? {
    guard let step = undoable.popLast() else { return nil }
    undoable.updateLast { $0.inherit(from: step) }
    if let current { redoable.append(Step(target: current, name: step.name)) }
    seal()
    return step
  }

  /// Removes and returns the step to redo, and stores the current version for an undo.
  ///
  /// - Parameter current: The version before the redo; `nil` if the redo changes nothing. There is
  ///   then no undo of the redo.
  mutating func redo(from current: Version?) -> Step? {
    guard let step = redoable.popLast() else { return nil }
    if let last = redoable.indices.last { redoable[last].inherit(from: step) }
    // The stack has room, because a step that can be redone has been undone before.
    if let current { _ = undoable.push(Step(target: current, name: step.name)) }
    seal()
    return step
  }

  /// Ends the coalescing of the last step: the next edit is a separate step, unless it is in a
  /// group.
  mutating func endCoalescing() {
    undoable.updateLast { $0.isOpen = false }
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

  mutating func removeAll() -> [Step] {
    let dropped = undoable.elements + redoable
    undoable = BoundedStack(limit: undoable.limit)
    redoable = []
    groupHasStep = false
    return dropped
  }

  /// Replaces the undo steps, and removes the redo steps. Returns the old steps.
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
      guard let time, let lastTime = last.time, last.name == name, last.coalesced == nil
      else { return false }
      return time.elapsed - lastTime.elapsed <= duration
    case .sameTarget(let path, let duration):
      guard let time, let lastTime = last.time, last.name == name, last.coalesced === path
      else { return false }
      return time.elapsed - lastTime.elapsed <= duration
    }
  }
}

extension UndoSteps.Step {
  fileprivate var editCount: Int { later?.edits.count ?? 0 }
}

extension UndoSteps: Sendable where Version: Sendable {}
extension UndoSteps.Step: Sendable where Version: Sendable {}

extension UndoSteps.Step: Equatable where Version: Equatable {
  /// Times are not compared, because they only affect later edits.
  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.name == rhs.name && lhs.target == rhs.target
  }
}

extension UndoSteps: Equatable where Version: Equatable {
  static func == (lhs: UndoSteps, rhs: UndoSteps) -> Bool {
    lhs.openGroups == rhs.openGroups && lhs.undoable.limit == rhs.undoable.limit
      && lhs.undoable.elements == rhs.undoable.elements && lhs.redoable == rhs.redoable
  }
}

/// Whether an edit has become part of an earlier step.
@usableFromInline
enum UndoJoining {
  case none
  case joins
  /// The edit has become part of a step that has `later` commits. The caller must move the `later`
  /// commits before the step.
  case joinsBeyondCommits
}

/// The commits after a step that are not steps themselves. Undoing or redoing the step keeps them.
struct LaterCommits<Version> {
  /// The version between the step and the first later commit.
  var origin: Version
  /// The edits of the later commits, in order. Commits that changed only registered databases are
  /// left out, because their changes are found by comparing versions.
  var edits: [ReplayableEdit] = []
}

extension LaterCommits: Sendable where Version: Sendable {}

/// Whether an edit becomes a separate step of a history, or part of the previous step.
///
/// The usual purpose is typing: a word should be undone as a whole, not letter by letter.
public struct UndoCoalescing: Sendable {
  enum Kind {
    case never
    case always
    case sameName(within: Duration)
    case sameTarget(RefPath, within: Duration)
  }

  let kind: Kind

  /// The edit is a separate step.
  public static let never = UndoCoalescing(kind: .never)

  /// The edit becomes part of the last step if there is one and the step is still open. For
  /// example, an undo, a redo, the end of a group and `endCoalescing()` close the last step.
  public static let withLast = UndoCoalescing(kind: .always)

  /// Returns a coalescing by name and time. The edit becomes part of the last step under three
  /// conditions: the step was also made with `sameName`, the step and the edit have equal names,
  /// and the step's last edit is no older than `duration`.
  public static func sameName(within duration: Duration) -> UndoCoalescing {
    UndoCoalescing(kind: .sameName(within: duration))
  }

  /// Returns the coalescing of a write through a pointer. The write becomes part of the last step
  /// under two conditions: the step consists of writes with the same target and the same name, and
  /// the last of them was made at most one second ago.
  static func sameTarget(_ path: RefPath) -> UndoCoalescing {
    UndoCoalescing(kind: .sameTarget(path, within: .seconds(1)))
  }

  /// The time of an edit; the clock is read only if the time is needed.
  var now: UndoTime? {
    switch kind {
    case .never, .always: nil
    case .sameName, .sameTarget: UndoTime.ofEdit
    }
  }

  var target: RefPath? {
    if case .sameTarget(let path, _) = kind { path } else { nil }
  }
}

/// The rows that an undo or a redo did not restore, or that a delete rule removed during it. The
/// conflict is reported to the store's problem handler and logger.
///
/// The cause is a later commit that is not an undo step:
/// - The commit changed the rows, or removed an entity that the rows reference.
/// - The commit inserted the rows, and the undo removes an entity that the rows reference.
public struct UndoConflict: Error, Equatable, Sendable, CustomStringConvertible {
  /// The conflicts, one for each row. *mine* is the current row, if there is one, and *theirs* is
  /// the row that the undo or redo would have restored. *base* is the row before the commit that
  /// conflicts with the undo or redo. If the outcome is `theirs`, a delete rule has removed the
  /// current row. Otherwise the current row is kept.
  public let conflicts: [RowConflict]

  /// A description of the rows and the reasons.
  public var description: String {
    "rows have changed since the step: \(conflicts.firstDescriptions)"
  }
}

/// Whether a commit is an undo step.
public enum UndoRecording: Hashable, Sendable {
  /// The commit is a separate step.
  case step
  /// The commit is not a step, and undoing an earlier step keeps it.
  case none
}

/// The time of an edit or of the beginning of a commit.
///
/// Stored as the time since a fixed instant of this process. The size of a clock's instant is known
/// only at run time, so storing an instant would make steps slower to copy.
@usableFromInline
package struct UndoTime: Sendable {
  private static let origin = ContinuousClock.now

  @usableFromInline static var now: UndoTime { UndoTime(ContinuousClock.now) }

  /// The time of edits in this task, which replaces the current time in tests.
  @TaskLocal package static var fixed: ContinuousClock.Instant?

  /// The time to record for an edit: `fixed` if it is set, otherwise the current time.
  static var ofEdit: UndoTime { fixed.map { UndoTime($0) } ?? now }

  let elapsed: Duration

  init(_ instant: ContinuousClock.Instant) {
    elapsed = Self.origin.duration(to: instant)
  }
}
