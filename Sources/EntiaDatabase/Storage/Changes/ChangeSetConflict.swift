/// A row or a held ID because of which a change set cannot be applied.
public struct ChangeSetConflict: Hashable, Sendable, CustomStringConvertible {
  /// What is in the way.
  public enum Reason: String, Sendable {
    /// The entity is to be inserted and is there already, with other content.
    case alreadyThere = "is to be inserted and is there already"
    /// The entity is to be updated or removed and is not there.
    case missing = "is to be changed and is not there"
    /// The entity is to be updated or removed and differs from what it was.
    case different = "differs from what the change set starts from"
    /// The entity would name another one that is not there.
    case missingTarget = "would name an entity that is not there"
    /// The entity is to be held and is not there.
    case heldWithoutEntity = "is to be held and is not there"
  }

  /// The entity.
  public let entity: EntityLabel
  /// What is in its way.
  public let reason: Reason
  /// The relationship through which the entity would name another one, or the part that would hold
  /// the entity's ID; `nil` for a row that is not as the change set expects.
  public let part: String?
  /// The missing entity that the entity would name.
  public let target: EntityLabel?

  init(
    entity: EntityLabel, reason: Reason, part: String? = nil, target: EntityLabel? = nil
  ) {
    self.entity = entity
    self.reason = reason
    self.part = part
    self.target = target
  }

  /// The entity and the reason.
  public var description: String {
    switch (reason, part, target) {
    case (.missingTarget, let part?, let target?):
      "\(entity): \(part) would name \(target), which is not there"
    case (.heldWithoutEntity, let part?, _): "\(part) would hold \(entity), which is not there"
    default: "\(entity) \(reason.rawValue)"
    }
  }
}

/// Why a change set was not applied: every row that is not as it expects, or else every reference and
/// held ID that it would leave without its entity.
public struct ChangeSetError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The rows, table by table in the order of declaration; or the references and held IDs, part by
  /// part in the order of declaration.
  public let conflicts: [ChangeSetConflict]

  /// A sentence that names the entities and the reasons.
  public var description: String {
    "the change set does not fit: \(conflicts.map(\.description).joined(separator: "; "))"
  }
}
