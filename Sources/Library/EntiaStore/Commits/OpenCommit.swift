/// The commit whose closure or hooks are running, on the thread that holds the commit lock.
///
/// The closure holds the unfinished state `inout`, so no other code can read or write this state. A
/// commit to the same store inside the closure therefore stops the process, like an overlapping
/// access to a variable.
///
/// The class is not generic, for the reason that `AnyStateVersion` documents. Only the call of the
/// closure is compiled for the state's type.
///
/// Sendable despite a `var`: the commit lock protects it.
@usableFromInline
final class OpenCommit: @unchecked Sendable {
  /// A running closure, and the activities that it has sent.
  @usableFromInline
  struct Call {
    let origin: CommitOrigin
    var activities: [AnyErasedValue] = []

    init(origin: CommitOrigin) { self.origin = origin }
  }

  @usableFromInline
  struct ClosureResult<State, Result> {
    @usableFromInline let state: State
    @usableFromInline let result: Result
    @usableFromInline let isChanged: Bool
    @usableFromInline let activities: [AnyErasedValue]

    @inlinable
    init(
      state: State, result: Result, isChanged: Bool, activities: [AnyErasedValue]
    ) {
      self.state = state
      self.result = result
      self.isChanged = isChanged
      self.activities = activities
    }
  }

  @exclusivity(unchecked) private var call: Call?

  init() {}

  var isRunning: Bool { call != nil }

  /// Postpones an activity until the commit in which it was sent is published.
  func postpone(_ activity: AnyErasedValue) { call?.activities.append(activity) }

  @inlinable
  func run<State: Sendable, Result>(
    _ origin: CommitOrigin, from start: StateVersion<State>, _ equality: Equality<State>,
    _ body: (inout State) throws -> Result
  ) rethrows -> ClosureResult<State, Result> {
    let outer = open(origin)
    var state = start.value
    do {
      let result = try body(&state)
      let isChanged = !equality.areSurelyEqual(start.value, state)
      return ClosureResult(
        state: state, result: result, isChanged: isChanged, activities: close(outer))
    } catch {
      // The `deinit` of a dropped value may commit, so the value is released after the call is
      // closed.
      let dropped = close(outer)
      withExtendedLifetime((state, dropped)) {}
      throw error
    }
  }

  /// Begins the call of a closure.
  /// - Returns: The call that was already open, or `nil`. A call is already open if the closure of
  ///   a commit reads `undoState` or `redoState`: this read replays edits, each in a call of its
  ///   own.
  @usableFromInline
  func open(_ origin: CommitOrigin) -> Call? {
    let outer = call
    call = Call(origin: origin)
    return outer
  }

  /// Ends the call of a closure.
  /// - Returns: The activities that the closure has sent.
  @usableFromInline
  func close(_ outer: Call?) -> [AnyErasedValue] {
    let ended = call
    call = outer
    return ended?.activities ?? []
  }

  @usableFromInline
  func checkNoneIsRunning(before inner: CommitOrigin) {
    guard let outer = call?.origin else { return }
    fatalError(
      """
      \(inner) was begun inside \(outer), to the same store. The outer closure is editing the state: \
      edit the state that it is given, with a function of `inout State` where both commits make the \
      same edit, or commit before or after it.
      """)
  }
}

/// The name of a commit and the location of its call, for messages.
@usableFromInline
struct CommitOrigin: Sendable, CustomStringConvertible {
  @usableFromInline var name: String?
  /// The file of the call; a description of the kind of commit if `line` is `nil`.
  @usableFromInline let place: StaticString
  @usableFromInline let line: UInt?

  @inlinable
  init(_ name: String?, at place: StaticString, line: UInt? = nil) {
    self.name = name
    self.place = place
    self.line = line
  }

  @usableFromInline var description: String {
    if let name { return "the commit \"\(name)\"" }
    if let line { return "the commit at \(place):\(line)" }
    return "\(place)"
  }
}

/// A commit: its metadata, how the history records it, and its outcome.
///
/// Not generic, for the reason that `AnyStateVersion` documents.
@usableFromInline
struct CommitRequest {
  @usableFromInline
  enum Recording {
    /// The commit is an undo step, or becomes part of the last step.
    case step(UndoCoalescing)
    /// The commit is not a step. Undoing an earlier step replays the commit's edit.
    case replayed(ReplayableEdit)
    /// The commit is itself an undo or a redo, and is not recorded.
    case unrecorded
  }

  @usableFromInline var metadata: CommitMetadata
  /// The file of the call; a description of the kind of commit if `line` is `nil`.
  @usableFromInline let place: StaticString
  /// The line of the call; `nil` if `place` is not a file.
  @usableFromInline let line: UInt?
  @usableFromInline var recording: Recording
  /// The ID of the optimistic layer that the commit confirms. Publishing the commit removes the
  /// layer.
  @usableFromInline var layer: UInt64?
  /// The time at which the commit began, if it is logged.
  @usableFromInline var start: UndoTime?
  /// The outcome of a commit that has ended. It stays `nil` for changes of layers.
  @usableFromInline var outcome: CommitOutcome?

  @inlinable
  init(
    _ metadata: CommitMetadata = CommitMetadata(), recording: Recording = .step(.never),
    at place: StaticString, line: UInt? = nil
  ) {
    self.metadata = metadata
    self.recording = recording
    self.place = place
    self.line = line
  }

  @inlinable
  init(name: String?, at place: StaticString, line: UInt? = nil) {
    self.init(CommitMetadata(name: name), at: place, line: line)
  }

  /// Creates a commit. If `undo` is not `step`, the closure is replayed when earlier steps are
  /// undone.
  init<State: Sendable, Result>(
    _ metadata: CommitMetadata, undo: UndoRecording, at place: StaticString, line: UInt? = nil,
    replaying body: @escaping @Sendable (inout State) throws -> Result
  ) {
    let edit = ReplayableEdit(name: metadata.name) { (state: inout State) in _ = try body(&state) }
    self.init(
      metadata, recording: undo == .step ? .step(.never) : .replayed(edit), at: place, line: line)
  }

  @inlinable var origin: CommitOrigin { CommitOrigin(metadata.name, at: place, line: line) }
}

@usableFromInline
enum CommitOutcome {
  case unchanged
  case changed
  /// Refused by a middleware or a rule.
  case refused(any Error)
  case failed(any Error)
}
