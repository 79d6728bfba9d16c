/// Makes nested values from a database and remembers them by what they were made of.
///
/// ```swift
/// var resolver = Resolver<Blog>()
/// let page = resolver.resolve(PostPage.self, of: "p1", in: blog)
/// let again = resolver.resolve(PostPage.self, of: "p1", in: blog)      // no row is read
/// ```
///
/// A value is made anew only after a row changed that it was made of, a row came that it had missed,
/// or an entity began or ceased to name another that it had asked for; nested values whose own rows
/// are the same are kept. The database may be any version, newer or older: what differs between two
/// versions decides.
public struct Resolver<Storage: NormalizedStorageType>: ~Copyable {
  /// How deep shapes may nest in each other; deeper ones, and those that repeat on their own branch,
  /// are left out.
  public static var maximumDepth: Int { 128 }

  @usableFromInline let memory: ResolverMemory<Storage>

  /// Creates a resolver that remembers nothing yet.
  /// - Parameter limit: how many values it remembers; it forgets them all when there are more.
  public init(limit: Int = 100_000) { memory = ResolverMemory(limit: limit) }

  /// How many values are remembered, absent entities among them.
  public var count: Int { memory.remembered }

  /// How many values have been made, nested ones among them: what a caller may count to see that
  /// remembering works.
  public var madeCount: Int { memory.made }

  /// Returns an entity as a shape, or `nil` when there is no such entity.
  /// - Complexity: O(1) expected when nothing that the value was made of has changed, else what
  ///   making its changed parts takes; and O(changes · log *n*) once for each new version.
  @inlinable
  public mutating func resolve<Shape: EntityShape>(
    _ shape: Shape.Type, of id: Shape.Entity.EntityID, in storage: Storage
  ) -> Shape? where Shape.Storage == Storage {
    memory.move(to: storage.snapshot)
    if let entry = memory.entry(shape, of: id) { return entry.value }
    return memory.value(shape, of: id, for: nil)
  }

  /// Returns entities as a shape in the order asked, skipping those that are missing.
  /// - Complexity: that of resolving each.
  public mutating func resolve<Shape: EntityShape>(
    _ shape: Shape.Type, of ids: some Sequence<Shape.Entity.EntityID>, in storage: Storage
  ) -> [Shape] where Shape.Storage == Storage {
    memory.move(to: storage.snapshot)
    return ids.compactMap { memory.value(shape, of: $0, for: nil) }
  }

  /// Forgets everything.
  public mutating func removeAll() { memory.removeAll() }
}
