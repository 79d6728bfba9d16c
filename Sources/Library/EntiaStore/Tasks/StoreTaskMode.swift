/// The treatment of unfinished tasks with the same key when a task starts.
public enum StoreTaskMode: Sendable {
  /// They are canceled, and the new task starts at once.
  case dropCurrent
  /// The new task starts when all earlier tasks with the key have ended.
  case waitInCurrent
}
