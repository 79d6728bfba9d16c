/// The undo and redo steps of a store.
///
/// Only the thread that holds the commit lock changes the steps; any thread may read them. Not
/// generic, for the reason that `AnyStateVersion` documents.
@usableFromInline
final class StoreHistory: Sendable {
  typealias Steps = UndoSteps<AnyStateVersion>

  /// An undo that changed only one part of the state, stored so that it can be redone.
  struct PartStep: Sendable {
    let name: String?
    /// Returns whether the part has the same value in two versions.
    let isUnchanged: @Sendable (AnyStateVersion, AnyStateVersion) -> Bool
    /// Returns whether the part still has the value that the undo restored. Later changes of ages
    /// and answers in registered databases are ignored, because `redo` keeps them.
    let isInPlace: @Sendable (AnyStateVersion) -> Bool
    /// Returns whether a part that is in place in the first version is in place in the second.
    let staysInPlace: @Sendable (AnyStateVersion, AnyStateVersion) -> Bool
    /// Returns a copy of a version in which the part has the value from before the undo. The part
    /// must be in place. Throws the refusal of a database.
    let redo: @Sendable (AnyStateVersion) throws -> AnyStateVersion
  }

  /// The undos of one part of the state, oldest first.
  struct UndonePart: Sendable {
    let path: any AnyKeyPath & Sendable
    var steps: [PartStep]
  }

  struct Contents {
    var steps: Steps
    /// The undos of parts, in an array rather than a dictionary, because hashing and comparing key
    /// paths may run user code, which must not run under a lock.
    var parts: [UndonePart] = []
  }

  let contents: Mutex<Contents>

  init(depth: Int) {
    contents = Mutex(Contents(steps: Steps(depth: depth)))
  }

  var steps: Steps { contents.withLock { $0.steps } }

  var hasSteps: Bool {
    contents.withLock { !$0.steps.undoable.isEmpty || !$0.steps.redoable.isEmpty }
  }

  @usableFromInline
  func record(
    from before: AnyStateVersion, to after: AnyStateVersion, coalescing: UndoCoalescing
  ) -> UndoJoining {
    let time = coalescing.now
    let coalescing = unified(coalescing)
    let name = after.metadata.name
    let (recorded, hasParts) = contents.withLock { contents in
      (
        contents.steps.record(from: before, name: name, coalescing: coalescing, at: time),
        !contents.parts.isEmpty
      )
    }
    withExtendedLifetime(recorded) {}
    if hasParts { removeParts { $0.isUnchanged(before, after) } }
    return recorded.joining
  }

  /// Removes the last step, because its edits cancel each other out.
  func removeLast() {
    contents.release { $0.steps.removeLast() }
  }

  /// Returns `coalescing`. If its target and the target of the last step are equal, the result has
  /// the target object of the last step. `UndoSteps` compares targets by identity, because `==` of
  /// key paths may run user code.
  private func unified(_ coalescing: UndoCoalescing) -> UndoCoalescing {
    guard let target = coalescing.target, let last = next(.back)?.coalesced,
      target.isEqual(to: last)
    else { return coalescing }
    return .sameTarget(last)
  }

  /// Stores a commit that is not an undo step, with its edit if the edit has to be replayed. The
  /// caller must hold the commit lock.
  func keep(_ edit: ReplayableEdit?, since before: AnyStateVersion) {
    contents.release { $0.steps.keep(edit, since: before) }
  }

  /// Replaces the `target` of the last step by a version that includes the step's `later` commits.
  func rebaseLast(to target: AnyStateVersion) {
    contents.release { $0.steps.rebaseLast(to: target) }
  }

  func pushStep(from before: AnyStateVersion, name: String?) {
    contents.release { $0.steps.push(Steps.Step(target: before, name: name)) }
  }

  enum Direction {
    case back
    case forward
  }

  func next(_ direction: Direction) -> Steps.Step? {
    contents.withLock { contents in
      switch direction {
      case .back: contents.steps.undoable.last
      case .forward: contents.steps.redoable.last
      }
    }
  }

  /// Removes and returns the next step to undo or to redo, and stores the opposite step. The caller
  /// must hold the commit lock, and must then change the state accordingly.
  ///
  /// - Parameter current: The version before the undo or the redo. If it is `nil`, the state stays
  ///   as it is and no opposite step is stored.
  func move(_ direction: Direction, from current: AnyStateVersion?) -> Steps.Step? {
    contents.withLock { contents in
      switch direction {
      case .back: contents.steps.undo(from: current)
      case .forward: contents.steps.redo(from: current)
      }
    }
  }

  func undone(_ part: any AnyKeyPath & Sendable) -> [PartStep] {
    contents.withLock { $0.parts }.first { $0.path == part }?.steps ?? []
  }

  /// Replaces the undos of a part; the caller must hold the commit lock.
  func setUndone(_ steps: [PartStep], of part: any AnyKeyPath & Sendable) {
    var parts = contents.withLock { $0.parts }
    parts.removeAll { $0.path == part }
    if !steps.isEmpty { parts.append(UndonePart(path: part, steps: steps)) }
    contents.replace { [parts] in $0.parts = parts }
  }

  /// Removes the undos of every part whose value has changed since the part was last undone. The
  /// caller must hold the commit lock.
  func removeParts(changedIn version: AnyStateVersion) { removeParts { $0.isInPlace(version) } }

  /// Removes the undos of every part that a commit has changed; the caller must hold the commit
  /// lock.
  func removeParts(changedFrom start: AnyStateVersion, to end: AnyStateVersion) {
    removeParts { $0.staysInPlace(start, end) }
  }

  /// Removes the undos of every part whose last undo does not satisfy `isKept`.
  private func removeParts(unless isKept: (PartStep) -> Bool) {
    let parts = contents.withLock { $0.parts }
    if parts.isEmpty { return }
    let kept = parts.filter { $0.steps.last.map(isKept) ?? false }
    if kept.count < parts.count { contents.replace { $0.parts = kept } }
  }

  func clear() {
    contents.release { contents in
      defer { contents.parts = [] }
      return (contents.steps.removeAll(), contents.parts)
    }
  }
}

/// An edit that can be replayed, without the type of the state that it edits.
@usableFromInline
struct ReplayableEdit: Sendable {
  typealias Edit<State> = @Sendable (inout State) throws -> Void

  let name: String?
  private let edit: AnyErasedValue

  init<State: Sendable>(name: String?, _ edit: @escaping Edit<State>) {
    self.name = name
    self.edit = ErasedValue(edit)
  }

  /// Returns the edit with its type. Only the store that created the edit may call this method.
  func of<State: Sendable>(_ type: State.Type) -> Edit<State> { edit.of(Edit<State>.self) }
}
