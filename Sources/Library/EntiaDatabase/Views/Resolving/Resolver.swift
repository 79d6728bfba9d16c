/// Builds nested values from a database and caches them together with their dependencies.
///
/// ```swift
/// var resolver = Resolver<Blog>()
/// let page = resolver.resolve(PostPage.self, of: "p1", in: blog)
/// let again = resolver.resolve(PostPage.self, of: "p1", in: blog)      // no row is read
/// ```
///
/// A value is built again only in three cases: one of its rows changed, a row that was missing was
/// inserted, or a list of referencing entities that it contains changed.
/// Nested values whose own rows are unchanged are reused. The database may be any version, newer or
/// older: the cache is updated by the differences between the two versions.
public struct Resolver<Storage: NormalizedStorageType>: ~Copyable {
  /// The maximum depth of shapes nested in each other. Deeper shapes, and shapes that repeat on
  /// their own branch, are left out.
  public static var maximumDepth: Int { 128 }

  @usableFromInline let graph: DependencyGraph<Storage>

  /// Creates a resolver with an empty cache.
  /// - Parameter limit: The maximum number of cached values. When `resolve` finds more than this,
  ///   it empties the cache first.
  public init(limit: Int = 100_000) { graph = DependencyGraph(limit: limit) }

  /// The number of cached values, including those of missing entities and outdated ones that have
  /// not been replaced yet.
  public var count: Int { graph.remembered }

  /// The number of values built so far, including nested ones. A test can use it to check that
  /// caching works.
  public var madeCount: Int { graph.builtCount }

  /// Returns an entity as a shape, or `nil` when no entity has the ID.
  /// - Complexity: O(1) expected when no dependency of the value has changed, otherwise the cost
  ///   of building its changed parts. The first call with a new version adds O(changes · log
  ///   *n*).
  @inlinable
  public mutating func resolve<Shape: EntityShape>(
    _ shape: Shape.Type, of id: Shape.Entity.EntityID, in storage: Storage
  ) -> Shape? where Shape.Storage == Storage {
    graph.move(to: storage.snapshot)
    if let entry = graph.entry(shape, of: id) { return entry.value }
    return graph.value(shape, of: id, for: nil)
  }

  /// Returns entities as shapes in the order of the IDs, without the missing ones.
  /// - Complexity: The cost of resolving each.
  public mutating func resolve<Shape: EntityShape>(
    _ shape: Shape.Type, of ids: some Sequence<Shape.Entity.EntityID>, in storage: Storage
  ) -> [Shape] where Shape.Storage == Storage {
    graph.move(to: storage.snapshot)
    return ids.compactMap { graph.value(shape, of: $0, for: nil) }
  }

  /// Empties the cache.
  public mutating func removeAll() { graph.removeAll() }
}
