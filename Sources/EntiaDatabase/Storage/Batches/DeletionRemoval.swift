/// An entity that would be removed.
public struct DeletionRemoval: Hashable, Sendable, CustomStringConvertible {
  /// The entity.
  public let entity: EntityLabel
  /// The reason for the removal.
  public let cause: DeletionCause

  /// The entity and the reason for the removal.
  public var description: String {
    switch cause {
    case .asked: "\(entity)"
    case .names(let target, let relationship): "\(entity), whose \(relationship) names \(target)"
    case .isNamed(let holder, let relationship):
      "\(entity), which \(relationship) of \(holder) names"
    }
  }
}

/// The reason for the removal of an entity.
public enum DeletionCause: Hashable, Sendable {
  /// The removal was requested.
  case asked
  /// The entity references a removed entity, and is removed with it.
  case names(EntityLabel, relationship: String)
  /// A removed entity references this one and removes it too.
  case isNamed(by: EntityLabel, relationship: String)
}
