public import EntiaDatabase

/// The rows that were not restored by undoing or redoing a step, because an unrecorded commit has
/// changed them since. Reported to the store's problem handler and logger.
public struct UndoConflict: Error, Equatable, Sendable, CustomStringConvertible {
  /// The rows: *base* is the step's version, *mine* the version that is kept, *theirs* the version
  /// that would have been restored.
  public let conflicts: [RowConflict]

  /// A description of the rows and the reasons.
  public var description: String {
    "rows have changed since the step: \(conflicts.map(\.description).joined(separator: "; "))"
  }
}
