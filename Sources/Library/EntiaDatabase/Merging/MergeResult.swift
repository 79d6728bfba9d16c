/// The reason why two versions were not merged: every unresolved conflict.
public struct MergeError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The conflicts, table by table in the order of declaration.
  public let conflicts: [RowConflict]

  /// A sentence that names the rows and the reasons.
  public var description: String {
    "the versions cannot be merged: \(conflicts.map(\.description).joined(separator: "; "))"
  }
}

/// The result of a merge.
public struct MergeResult<Storage: NormalizedStorageType>: Equatable, Sendable {
  /// The database with the changes of both versions.
  public let storage: Storage
  /// The conflicts and their outcomes.
  public let conflicts: [RowConflict]
}
