/// The references that a garbage collection follows. Entities that are reached from an entity in
/// use are in use too.
public enum CollectionReach: Hashable, Sendable {
  /// The keys of entities in use.
  case keys
  /// The keys of entities in use, and also the holders that a cascade would remove with an entity
  /// in use: those of relationships whose rule is `cascade`, such as the comments of a post.
  case keysAndDependents
}
