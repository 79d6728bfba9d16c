public import EntiaDatabase

/// Rows that undoing or redoing a step left as they are, because a commit that is no step has changed
/// them since: reported to the store's problem handler and logger.
public struct UndoConflict: Error, Equatable, Sendable, CustomStringConvertible {
  /// The rows: *base* is the step's version, *mine* the one that is kept, *theirs* the one that was to
  /// be restored.
  public let conflicts: [RowConflict]

  /// A sentence that names the rows and the reasons.
  public var description: String {
    "rows have changed since the step: \(conflicts.map(\.description).joined(separator: "; "))"
  }
}
