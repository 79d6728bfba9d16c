/// An entity that would be removed.
public struct DeletionRemoval: Hashable, Sendable, CustomStringConvertible {
  /// The entity.
  public let entity: EntityLabel
  /// Why it would go.
  public let cause: DeletionCause

  /// The entity and why it would go.
  public var description: String {
    switch cause {
    case .asked: "\(entity)"
    case .names(let target, let relationship): "\(entity), whose \(relationship) names \(target)"
    case .isNamed(let holder, let relationship):
      "\(entity), which \(relationship) of \(holder) names"
    }
  }
}

/// Why an entity would be removed.
public enum DeletionCause: Hashable, Sendable {
  /// Its removal was asked for.
  case asked
  /// It names an entity that is removed, and goes with it.
  case names(EntityLabel, relationship: String)
  /// An entity that names it is removed and takes it along.
  case isNamed(by: EntityLabel, relationship: String)
}
