/// What a key of a relationship is like.
public enum RelationshipKind: String, Hashable, Sendable, CustomStringConvertible {
  /// The key always names one entity.
  case toOne = "to one"
  /// The key names one entity or none.
  case optionalToOne = "to one or none"
  /// The key names a list of entities, in an order of its own.
  case orderedToMany = "to many, ordered"
  /// The key names a set of entities, or is a map from them; they are read in the order of their IDs.
  case unorderedToMany = "to many"

  /// Whether a key names more than one entity.
  public var isToMany: Bool { self == .orderedToMany || self == .unorderedToMany }

  /// The kind in words.
  public var description: String { rawValue }
}
