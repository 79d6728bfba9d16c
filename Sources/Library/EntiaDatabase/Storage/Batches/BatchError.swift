/// The reason why a batch was not committed.
public enum BatchError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The batch called `abort()`.
  case aborted
  /// The database changed between the start of the batch and its commit.
  case stale(storage: String)
  /// The batch violates rules of the database. The list contains all violations: denied removals
  /// in the order of the removals, then the others in the order of declaration.
  case refused([BatchViolation])

  /// A sentence that names the reason.
  public var description: String {
    switch self {
    case .aborted: "the batch was aborted"
    case .stale(let storage):
      "the batch began on an older version of \(storage); begin a new batch on the current version"
    case .refused(let violations):
      "the batch was refused: \(violations.map(\.description).joined(separator: "; "))"
    }
  }
}
