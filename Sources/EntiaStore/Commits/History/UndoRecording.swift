/// Whether a commit is a step that can be undone.
public enum UndoRecording: Hashable, Sendable {
  /// The commit is a step of its own.
  case step
  /// The commit is no step, and undoing a step that was made before it keeps it.
  case none
}
