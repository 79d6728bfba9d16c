/// The reason why a change set was not applied: every row that differs from its expected value,
/// or else every reference and held ID whose entity would be missing.
public struct ChangeSetError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The rows, table by table in the order of declaration; or the references and held IDs, part by
  /// part in the order of declaration.
  public let conflicts: [ChangeSetConflict]

  /// A sentence that names the entities and the reasons.
  public var description: String {
    "the change set cannot be applied: \(conflicts.map(\.description).joined(separator: "; "))"
  }
}
