/// A row that a change set cannot be applied to, because it is not as the change set expects.
public struct ChangeSetConflict: Hashable, Sendable, CustomStringConvertible {
  /// What is in the row's way.
  public enum Reason: String, Sendable {
    /// The entity is to be inserted and is there already, with other content.
    case alreadyThere = "is to be inserted and is there already"
    /// The entity is to be updated or removed and is not there.
    case missing = "is to be changed and is not there"
    /// The entity is to be updated or removed and differs from what it was.
    case different = "differs from what the change set starts from"
    /// The IDs that the user holds are to be others and are not what they were.
    case otherIDs = "has other IDs than the change set starts from"
  }

  /// The entity; where held IDs are in the way, the name of their part.
  public let entity: EntityLabel
  /// What is in its way.
  public let reason: Reason

  /// The entity and the reason.
  public var description: String { "\(entity) \(reason.rawValue)" }
}

/// Why a change set was not applied: every row that is not as it expects.
public struct ChangeSetError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The rows, table by table in the order of declaration.
  public let conflicts: [ChangeSetConflict]

  /// A sentence that names the entities and the reasons.
  public var description: String {
    "the change set does not fit: \(conflicts.map(\.description).joined(separator: "; "))"
  }
}
