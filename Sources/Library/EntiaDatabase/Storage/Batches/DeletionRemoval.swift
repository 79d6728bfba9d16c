/// An entity that would be removed.
public struct DeletionRemoval: Hashable, Sendable, CustomStringConvertible {
  /// The entity.
  public let entity: EntityLabel
  /// The reason for the removal.
  public let cause: DeletionCause

  /// The entity and the reason for the removal.
  public var description: String {
    switch cause {
    case .requested: "\(entity)"
    case .references(let target, let relationship):
      "\(entity), whose \(relationship) references \(target)"
    case .isReferenced(let holder, let relationship):
      "\(entity), which \(relationship) of \(holder) references"
    }
  }
}
