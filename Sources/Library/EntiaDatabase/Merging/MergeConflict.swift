/// A row that both versions changed in different ways; `nil` is absence.
public struct MergeConflict<Entity: EntityType>: Equatable, Sendable {
  /// The entity's ID.
  public let entityID: Entity.EntityID
  /// The row in the common version.
  public let base: Entity?
  /// The row in the version that is merged into.
  public let mine: Entity?
  /// The row in the version that is merged.
  public let theirs: Entity?
}

/// The resolution of a conflict.
public enum MergeResolution<Entity: EntityType>: Equatable, Sendable {
  /// The row, or its absence, is taken from the version that is merged into.
  case mine
  /// The row, or its absence, is taken from the version that is merged.
  case theirs
  /// The row becomes this one, which has the same ID.
  case entity(Entity)
  /// Neither: the merge throws an error with this conflict.
  case refuse
}
