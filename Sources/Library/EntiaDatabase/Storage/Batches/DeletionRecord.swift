/// A record of the steps of a removal.
final class DeletionRecord {
  var removals: [DeletionRemoval] = []
  var nullifications: [DeletionNullification] = []

  func removed<Entity: EntityType>(
    _ id: EntityIdentifier<Entity>, _ cause: @autoclosure () -> DeletionCause
  ) {
    removals.append(DeletionRemoval(entity: EntityLabel(id), cause: cause()))
  }

  func nullified<Holder: EntityType, Target: EntityType>(
    _ holder: EntityIdentifier<Holder>, _ name: String, _ targets: [EntityIdentifier<Target>]
  ) {
    nullifications.append(
      DeletionNullification(
        holder: EntityLabel(holder), relationship: name, targets: targets.map(EntityLabel.init)))
  }
}

/// The reason for the removal of an entity.
public enum DeletionCause: Hashable, Sendable {
  /// The removal was requested.
  case requested
  /// The entity references a removed entity, and is removed with it.
  case references(EntityLabel, relationship: String)
  /// The entity is referenced by a removed entity, and is removed with it.
  case isReferenced(by: EntityLabel, relationship: String)
}

/// A key that would lose its references to removed entities.
public struct DeletionNullification: Hashable, Sendable, CustomStringConvertible {
  /// The entity that has the key.
  public let holder: EntityLabel
  /// The name of the key's relationship.
  public let relationship: String
  /// The removed entities that the key references, in the order of their removal.
  public let targets: [EntityLabel]

  /// The key and the references that it would lose.
  public var description: String {
    "\(relationship) of \(holder) loses \(targets.map(\.description).joined(separator: ", "))"
  }
}

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
