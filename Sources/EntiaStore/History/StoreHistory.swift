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

  struct Contents {
    var steps: Steps
    var parts: [AnyKeyPath: [PartStep]] = [:]
  }

  let contents: Protected<Contents>

  init(depth: Int) {
    contents = Protected(Contents(steps: Steps(depth: depth)))
  }

  var steps: Steps { contents.withLock { $0.steps } }

  /// Notes a commit; the caller has the turn.
  @usableFromInline
  func record(from before: AnySnapshot, to after: AnySnapshot, coalescing: UndoCoalescing) {
    let time = coalescing.now
    let name = after.mark.name
    let (dropped, parts) = contents.withLock { contents in
      (
        contents.steps.record(from: before, name: name, coalescing: coalescing, at: time),
        contents.parts
      )
    }
    withExtendedLifetime(dropped) {}
    if !parts.isEmpty { forgetParts(parts, changedIn: after) }
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

  /// Forgets how to redo the parts that are not what their undo left any more.
  func forgetParts(_ parts: [AnyKeyPath: [PartStep]], changedIn version: AnySnapshot) {
    for (part, steps) in parts {
      guard let last = steps.last, !last.isInPlace(version) else { continue }
      let dropped = contents.withLock { $0.parts.removeValue(forKey: part) }
      withExtendedLifetime(dropped) {}
    }
  }

  func clear() {
    let dropped = contents.withLock { contents in
      let parts = contents.parts
      contents.parts = [:]
      return (contents.steps.removeAll(), parts)
    }
    withExtendedLifetime(dropped) {}
  }
}
