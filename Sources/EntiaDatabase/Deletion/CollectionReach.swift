/// The references that a collection follows from entities in use to others in use.
public enum CollectionReach: Hashable, Sendable {
  /// The keys of entities in use.
  case keys
  /// The keys of entities in use, and also the holders that a cascade would remove with an entity
  /// in use: those of relationships whose rule is `cascade`, such as the comments of a post.
  case keysAndDependents
}
