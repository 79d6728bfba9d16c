/// Whether a commit is an undo step.
public enum UndoRecording: Hashable, Sendable {
  /// The commit is a separate step.
  case step
  /// The commit is not a step, and undoing an earlier step keeps it.
  case none
}
