/// A commit: its metadata, how the history records it, and its outcome.
///
/// Not generic, like all code that every commit runs.
@usableFromInline
struct CommitRequest {
  /// How the history records a commit.
  @usableFromInline
  enum Recording {
    /// As an undo step, or as a part of the last one.
    case step(UndoCoalescing)
    /// Not as a step: undoing an earlier step replays the edit.
    case replayed(AnyReplayableEdit)
    /// Not at all: the commit is an undo or a redo.
    case unrecorded
  }

  @usableFromInline var metadata: CommitMetadata
  /// The place of the call, or the kind of commit.
  @usableFromInline let place: StaticString
  /// The line of the call; `nil` for a kind of commit.
  @usableFromInline let line: UInt?
  @usableFromInline var recording: Recording
  /// The ID of the optimistic layer that the commit confirms, which is removed with its
  /// publication.
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

  /// Creates a commit that may not be an undo step; its closure is then replayed.
  init<State: Sendable, Result>(
    _ metadata: CommitMetadata, undo: UndoRecording, at place: StaticString, line: UInt? = nil,
    replaying body: @escaping @Sendable (inout State) throws -> Result
  ) {
    let edit = ReplayableEdit<State>(name: metadata.name) { _ = try body(&$0) }
    self.init(
      metadata, recording: undo == .step ? .step(.never) : .replayed(edit), at: place, line: line)
  }

  @inlinable var origin: CommitOrigin { CommitOrigin(metadata.name, at: place, line: line) }
}

/// The outcome of a commit.
@usableFromInline
enum CommitOutcome {
  case unchanged
  case changed
  /// Refused by a middleware or a rule.
  case refused(any Error)
  /// The closure threw an error.
  case failed(any Error)
}
