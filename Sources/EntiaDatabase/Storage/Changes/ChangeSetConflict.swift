/// A row or a held ID that prevents a change set from being applied.
public struct ChangeSetConflict: Hashable, Sendable, CustomStringConvertible {
  /// The kind of the conflict.
  public enum Reason: String, Sendable {
    /// The change set inserts the entity, but another entity has its ID.
    case alreadyThere = "is to be inserted and is there already"
    /// The change set updates or removes the entity, but it is missing.
    case missing = "is to be changed and is not there"
    /// The change set updates or removes the entity, but its old value differs.
    case different = "differs from what the change set starts from"
    /// The entity would reference a missing one.
    case missingTarget = "would name an entity that is not there"
    /// The change set holds the entity's ID, but the entity is missing.
    case heldWithoutEntity = "is to be held and is not there"
  }

  /// The entity.
  public let entity: EntityLabel
  /// The kind of the conflict.
  public let reason: Reason
  /// The relationship through which the entity would reference another one, or the part that
  /// would hold the entity's ID; `nil` when the row itself is in conflict.
  public let part: String?
  /// The missing entity that the entity would reference.
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

/// The reason why a change set was not applied: every row that differs from its expected value,
/// or else every reference and held ID whose entity would be missing.
public struct ChangeSetError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The rows, table by table in the order of declaration; or the references and held IDs, part by
  /// part in the order of declaration.
  public let conflicts: [ChangeSetConflict]

  /// A sentence that names the entities and the reasons.
  public var description: String {
    "the change set does not fit: \(conflicts.map(\.description).joined(separator: "; "))"
  }
}
