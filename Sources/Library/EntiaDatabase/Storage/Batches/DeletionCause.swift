/// The reason for the removal of an entity.
public enum DeletionCause: Hashable, Sendable {
  /// The removal was requested.
  case requested
  /// The entity references a removed entity, and is removed with it.
  case references(EntityLabel, relationship: String)
  /// A removed entity references this one and removes it too.
  case isReferenced(by: EntityLabel, relationship: String)
}
