/// The kind of a relationship's key.
public enum RelationshipKind: String, Hashable, Sendable, CustomStringConvertible {
  /// The key always references one entity.
  case toOne = "to one"
  /// The key references at most one entity.
  case optionalToOne = "to one or none"
  /// The key references a list of entities, in its own order.
  case orderedToMany = "to many, ordered"
  /// The key is a set of IDs, or a map with IDs as keys; they are read in ascending order.
  case unorderedToMany = "to many"

  /// Whether a key can reference more than one entity.
  public var isToMany: Bool { self == .orderedToMany || self == .unorderedToMany }

  /// The kind in words.
  public var description: String { rawValue }
}
