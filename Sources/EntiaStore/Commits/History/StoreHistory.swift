/// The versions a store can go back to and forward to.
///
/// Only the thread that has the turn changes the steps; anybody may ask about them. Not generic, like
/// everything that each commit passes through.
@usableFromInline
final class StoreHistory: Sendable {
  typealias Steps = UndoSteps<AnySnapshot>

  /// The undo of one part of the state, for redoing it.
  struct PartStep: Sendable {
    let name: String?
    /// Whether the part is still as the undo left it.
    let isInPlace: @Sendable (AnySnapshot) -> Bool
    /// The version with the part as it was before the undo.
    let redo: @Sendable (AnySnapshot) -> AnySnapshot
  }

  /// What was undone in one part of the state, the last undo last.
  struct UndonePart: Sendable {
    let path: any AnyKeyPath & Sendable
    var steps: [PartStep]
  }

  struct Contents {
    var steps: Steps
    /// A list, since a user's code hashes and compares paths, and runs under no lock.
    var parts: [UndonePart] = []
  }

  let contents: Protected<Contents>

  init(depth: Int) {
    contents = Protected(Contents(steps: Steps(depth: depth)))
  }

  var steps: Steps { contents.withLock { $0.steps } }

  /// Whether there is anything to undo or redo.
  var hasSteps: Bool {
    contents.withLock { !$0.steps.undoable.isEmpty || !$0.steps.redoable.isEmpty }
  }

  /// Notes a commit; the caller has the turn.
  ///
  /// - Returns: Whether the commit has become part of a step after which there are commits that are no
  ///   steps; they must then be moved before it.
  @usableFromInline
  func record(
    from before: AnySnapshot, to after: AnySnapshot, coalescing: UndoCoalescing
  ) -> Bool {
    let time = coalescing.now
    let name = after.mark.name
    let (recorded, hasParts) = contents.withLock { contents in
      (
        contents.steps.record(from: before, name: name, coalescing: coalescing, at: time),
        !contents.parts.isEmpty
      )
    }
    withExtendedLifetime(recorded) {}
    if hasParts { forgetParts(changedIn: after) }
    return recorded.joinsBeyondCommits
  }

  /// Notes a commit that is no step; the caller has the turn.
  func keep(_ edit: AnyReplayableEdit?, since before: AnySnapshot) {
    let forgotten = contents.withLock { $0.steps.keep(edit, since: before) }
    withExtendedLifetime(forgotten) {}
  }

  /// Replaces the version before the last step by one with the commits since that are no steps.
  func rebaseLast(to target: AnySnapshot) {
    let outgrown = contents.withLock { $0.steps.rebaseLast(to: target) }
    withExtendedLifetime(outgrown) {}
  }

  /// Adds a step.
  func pushStep(from before: AnySnapshot, name: String?) {
    let forgotten = contents.withLock { $0.steps.push(Steps.Step(target: before, name: name)) }
    withExtendedLifetime(forgotten) {}
  }

  /// Which way to go from the current version.
  enum Direction {
    case back
    case forward
  }

  /// The step that would be taken.
  func next(_ direction: Direction) -> Steps.Step? {
    contents.withLock { contents in
      switch direction {
      case .back: contents.steps.undoable.last
      case .forward: contents.steps.redoable.last
      }
    }
  }

  /// Takes a step back or forward, which the caller, who has the turn, then makes true.
  func move(_ direction: Direction, from current: AnySnapshot) -> Steps.Step? {
    contents.withLock { contents in
      switch direction {
      case .back: contents.steps.undo(from: current)
      case .forward: contents.steps.redo(from: current)
      }
    }
  }

  /// What was undone in a part alone, and can be redone.
  func undone(_ part: any AnyKeyPath & Sendable) -> [PartStep] {
    contents.withLock { $0.parts }.first { $0.path == part }?.steps ?? []
  }

  /// Replaces what was undone in a part; the caller has the turn.
  func setUndone(_ steps: [PartStep], of part: any AnyKeyPath & Sendable) {
    var parts = contents.withLock { $0.parts }
    parts.removeAll { $0.path == part }
    if !steps.isEmpty { parts.append(UndonePart(path: part, steps: steps)) }
    replaceParts(parts)
  }

  /// Forgets how to redo the parts that are no longer what their undo left; the caller has the turn.
  func forgetParts(changedIn version: AnySnapshot) {
    let parts = contents.withLock { $0.parts }
    if parts.isEmpty { return }
    let kept = parts.filter { $0.steps.last?.isInPlace(version) ?? false }
    if kept.count < parts.count { replaceParts(kept) }
  }

  private func replaceParts(_ parts: [UndonePart]) {
    let dropped = contents.withLock { contents in
      let dropped = contents.parts
      contents.parts = parts
      return dropped
    }
    withExtendedLifetime(dropped) {}
  }

  func clear() {
    let dropped = contents.withLock { contents in
      let parts = contents.parts
      contents.parts = []
      return (contents.steps.removeAll(), parts)
    }
    withExtendedLifetime(dropped) {}
  }
}
