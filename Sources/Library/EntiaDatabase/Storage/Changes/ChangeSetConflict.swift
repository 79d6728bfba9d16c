/// A row or a held ID that prevents a change set from being applied.
public struct ChangeSetConflict: Hashable, Sendable, CustomStringConvertible {
  /// The kind of the conflict.
  public enum Reason: String, Sendable {
    /// The change set inserts the entity, but another entity has its ID.
    case alreadyThere = "cannot be inserted because its ID is in use"
    /// The change set updates or removes the entity, but it is missing.
    case missing = "cannot be changed because it does not exist"
    /// The change set updates or removes the entity, but its old value differs.
    case different = "differs from the row that the change set starts from"
    /// The entity would reference a missing one.
    case missingTarget = "would reference a missing entity"
    /// The change set holds the entity's ID, but the entity is missing.
    case heldWithoutEntity = "cannot be held because it does not exist"
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
      "\(entity): \(part) would reference \(target), which does not exist"
    case (.heldWithoutEntity, let part?, _): "\(part) would hold \(entity), which does not exist"
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
    "the change set cannot be applied: \(conflicts.map(\.description).joined(separator: "; "))"
  }
}
