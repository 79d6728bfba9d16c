/// The cache of a resolver, and the version that the cached values belong to.
@usableFromInline
final class DependencyGraph<Storage: NormalizedStorageType> {
  /// A value that is being built.
  private struct Frame {
    /// Whether the value is complete, so that a separate request for the entity would build the
    /// same value. An incomplete value is not cached.
    var isWhole = true
    /// Whether the entity of the value occurs again inside the value, in the same shape. A cyclic
    /// value is reused only at the top level, because a nested value leaves out the entities that
    /// enclose it.
    var isCyclic = false
  }

  // The properties that every look-up reads are not checked for exclusive access, because no access
  // lasts long and one thread at a time uses a resolver.
  @exclusivity(unchecked) @usableFromInline var snapshot: Snapshot<Storage.Contents>?
  @exclusivity(unchecked) @usableFromInline private(set) var remembered = 0
  private(set) var builtCount = 0
  @usableFromInline let limit: Int
  @exclusivity(unchecked) @usableFromInline private(set) var nodes = DependencyNodes()
  private var frames: [Frame] = []
  private var shapes: [ObjectIdentifier: AnyObject] = [:]
  @exclusivity(unchecked) @usableFromInline private(set) var lastShape: ObjectIdentifier?
  @exclusivity(unchecked) @usableFromInline private(set) var lastCache: AnyObject?
  // The objects are unmanaged, because each look-up in one of these dictionaries would otherwise
  // retain the object that it finds.
  /// The readers of rows, by the type of the entity.
  @exclusivity(unchecked) @usableFromInline private(set) var rowReaders:
    [ObjectIdentifier: Unmanaged<AnyObject>] = [:]
  /// The readers of holders, by the byte offset of the relationship in the contents.
  @exclusivity(unchecked) @usableFromInline private(set) var linkReaders:
    [Int: Unmanaged<AnyObject>] = [:]
  /// The objects to which `rowReaders` and `linkReaders` refer.
  private var readers: [AnyObject] = []

  init(limit: Int) { self.limit = limit }

  @usableFromInline
  func removeAll() {
    nodes = DependencyNodes()
    shapes = [:]
    lastShape = nil
    lastCache = nil
    rowReaders = [:]
    linkReaders = [:]
    readers = []
    remembered = 0
    snapshot = nil
  }

  /// Moves to another version, and invalidates the values that depend on a difference between the
  /// two.
  @inlinable
  func move(to newer: Snapshot<Storage.Contents>) {
    if remembered > limit { removeAll() }
    if let snapshot, snapshot.isIdentical(to: newer) { return }
    // The snapshots are swapped, because copying the old snapshot would cost a retain and a
    // release.
    var replaced: Snapshot<Storage.Contents>? = newer
    swap(&snapshot, &replaced)
    guard let older = replaced else { return }
    defer { withExtendedLifetime(older) {} }
    var search = StaleDependencies(graph: self, old: older, new: newer)
    Storage.Contents.visitParts(&search)
    if !search.tokens.isEmpty { end(search.tokens) }
  }

  @usableFromInline
  func end(_ tokens: [DependencyToken]) { nodes.end(tokens) }

  /// Returns the cached value of an entity, if its shape is the most recently requested one.
  // Specialized in its caller, where the types are known, so that the usual case costs one lookup.
  @inlinable
  func entry<Shape: EntityShape>(
    _ shape: Shape.Type, of id: Shape.Entity.EntityID
  ) -> ShapeCache<Shape>.Entry? where Shape.Storage == Storage {
    guard let lastCache, lastShape == ObjectIdentifier(shape),
      let entry = unsafeDowncast(lastCache, to: ShapeCache<Shape>.self).entries[id],
      nodes.isCurrent(entry.token)
    else { return nil }
    return entry
  }

  /// Returns an entity as a shape, from the cache or newly built.
  @usableFromInline
  func value<Shape: EntityShape>(
    _ shape: Shape.Type, of id: Shape.Entity.EntityID, for user: DependencyToken?
  ) -> Shape? where Shape.Storage == Storage {
    let cache = self.cache(of: shape)
    if let entry = cache.entries[id], user == nil || !entry.isCyclic,
      nodes.isCurrent(entry.token)
    {
      if let user { nodes.add(user, to: entry.token) }
      return entry.value
    }
    if let depth = cache.open[id] {
      // The entity is already being built at `depth`, so the inner occurrence is left out. The
      // values between the two occurrences are therefore incomplete and are not cached.
      frames[depth].isCyclic = true
      for frame in frames.indices.dropFirst(depth + 1) { frames[frame].isWhole = false }
      return nil
    }
    guard frames.count < Resolver<Storage>.maximumDepth else {
      for frame in frames.indices { frames[frame].isWhole = false }
      return nil
    }
    return make(shape, of: id, for: user, cache)
  }

  private func make<Shape: EntityShape>(
    _ shape: Shape.Type, of id: Shape.Entity.EntityID, for user: DependencyToken?,
    _ cache: ShapeCache<Shape>
  ) -> Shape? where Shape.Storage == Storage {
    let token = nodes.begin()
    builtCount += 1
    var value: Shape?
    var frame = Frame()
    if let entity: Shape.Entity = find(id, for: token) {
      cache.open[id] = frames.count
      frames.append(frame)
      value = Shape(ResolvingView(graph: self, token: token, entity: entity))
      frame = frames.removeLast()
      cache.open[id] = nil
    }
    if frame.isWhole, user == nil || !frame.isCyclic {
      let entry = ShapeCache<Shape>.Entry(
        token: token, value: value, isCyclic: frame.isCyclic)
      if cache.entries.updateValue(entry, forKey: id) == nil { remembered += 1 }
    }
    if let user {
      nodes.add(user, to: token)
    } else if !frame.isWhole {
      nodes.end([token])
    }
    return value
  }

  private func cache<Shape: EntityShape>(of shape: Shape.Type) -> ShapeCache<Shape> {
    let type = ObjectIdentifier(shape)
    if let lastCache, lastShape == type {
      return unsafeDowncast(lastCache, to: ShapeCache<Shape>.self)
    }
    let cache =
      shapes[type].map { unsafeDowncast($0, to: ShapeCache<Shape>.self) } ?? ShapeCache<Shape>()
    shapes[type] = cache
    lastShape = type
    lastCache = cache
    return cache
  }
}

extension DependencyGraph {
  /// Returns the entity with an ID, and records the read. A miss is recorded too.
  func find<Entity: EntityType>(
    _ id: EntityIdentifier<Entity>, for token: DependencyToken
  ) -> Entity? {
    let lists =
      rowReaders(of: Entity.self)?.takeUnretainedValue()
      ?? newReaders { rowReaders[ObjectIdentifier(Entity.self)] = $0 }
    lists.add(token, for: id, among: nodes)
    return snapshot?.find(id)
  }

  /// Returns the IDs of the holders of an entity, and records the read.
  func holderIDs<Relationship: RelationshipType>(
    of target: Relationship.Target.EntityID,
    at path: KeyPath<Storage.Contents, Relationship>, for token: DependencyToken
  ) -> [Relationship.Holder.EntityID] {
    guard let snapshot else { return [] }
    let offset = snapshot.offset(of: path)
    let lists =
      linkReaders(at: offset, of: Relationship.Target.self)?.takeUnretainedValue()
      ?? newReaders { linkReaders[offset] = $0 }
    lists.add(token, for: target, among: nodes)
    return snapshot.withRelationship(at: path) { $0.holderIDs(of: target) }
  }

  /// Creates readers, which the graph retains until it is emptied.
  private func newReaders<Entity: EntityType>(
    _ add: (Unmanaged<AnyObject>) -> Void
  ) -> DependencyLists<Entity> {
    let lists = DependencyLists<Entity>()
    readers.append(lists)
    add(.passUnretained(lists))
    return lists
  }

  /// Returns the readers of the rows of a type, or `nil` when there are none.
  @inlinable
  func rowReaders<Entity: EntityType>(
    of entity: Entity.Type
  ) -> Unmanaged<DependencyLists<Entity>>? {
    // The object under a key is of the entity type that the key identifies.
    rowReaders[ObjectIdentifier(entity)].map { .fromOpaque(UnsafeRawPointer($0.toOpaque())) }
  }

  /// Whether any resolved value has read the holders of an entity.
  @inlinable
  var hasHolderReaders: Bool { !linkReaders.isEmpty }

  /// Returns the resolved values that read the holders of an entity through a relationship, or
  /// `nil` when there are none.
  @inlinable
  func linkReaders<Target: EntityType>(
    at offset: Int, of target: Target.Type
  ) -> Unmanaged<DependencyLists<Target>>? {
    // The offset identifies a relationship, which has one type of target.
    linkReaders[offset].map { .fromOpaque(UnsafeRawPointer($0.toOpaque())) }
  }
}

/// Builds nested values from a database and caches them together with their dependencies.
///
/// ```swift
/// var resolver = Resolver<Blog>()
/// let page = resolver.resolve(PostPage.self, of: "p1", in: blog)
/// let again = resolver.resolve(PostPage.self, of: "p1", in: blog)      // no row is read
/// ```
///
/// A value is built again only in three cases: one of its rows changed, a row that was missing was
/// inserted, or the holders of an entity that the value contains changed. Nested values whose own
/// rows are unchanged are reused. The database may be any version, newer or older, because the
/// cache is updated by the differences from the version of the previous call.
public struct Resolver<Storage: NormalizedStorageType>: ~Copyable {
  /// The maximum depth of shapes nested in each other. Deeper shapes, and entities that are already
  /// on the path in the same shape, are left out.
  package static var maximumDepth: Int { 128 }

  @usableFromInline let graph: DependencyGraph<Storage>

  /// Creates a resolver with an empty cache.
  /// - Parameter limit: The maximum number of cached values. When `resolve` finds more than this,
  ///   it first empties the cache.
  public init(limit: Int = 100_000) { graph = DependencyGraph(limit: limit) }

  /// The number of cached values, including those of missing entities and outdated ones that have
  /// not been replaced yet.
  package var count: Int { graph.remembered }

  /// The number of values built so far, including nested ones. A test can use it to check that
  /// caching works.
  package var madeCount: Int { graph.builtCount }

  /// Returns an entity as a shape, or `nil` when no entity has the ID.
  /// - Complexity: O(1) expected if the cached value is current. Otherwise, the cost of building
  ///   the changed parts of the value. The first call with a new version adds O(changes · log *n*).
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
}

/// The cached values of one shape.
@usableFromInline
final class ShapeCache<Shape: EntityShape> {
  // Entries are objects, so that the dictionary returns a reference instead of a copy of the entry.
  // A look-up then copies the value once.
  @usableFromInline
  final class Entry {
    @usableFromInline let token: DependencyToken
    /// `nil` when the entity is missing.
    @usableFromInline let value: Shape?
    /// Whether the entity of the value occurs again inside the value, in the same shape. A cyclic
    /// value is not reused inside other values.
    let isCyclic: Bool

    init(token: DependencyToken, value: Shape?, isCyclic: Bool) {
      self.token = token
      self.value = value
      self.isCyclic = isCyclic
    }
  }

  @exclusivity(unchecked) @usableFromInline var entries: [Shape.Entity.EntityID: Entry] = [:]
  /// The values that are being built, with their depth in the nesting.
  var open: [Shape.Entity.EntityID: Int] = [:]
}

/// The identity of a resolved value in the dependency graph: its node, and the generation of the
/// node.
@usableFromInline
struct DependencyToken: Equatable {
  @usableFromInline let node: Int
  @usableFromInline let generation: Int
}

/// The dependency graph of resolved values. Invalidating a node also invalidates every value that
/// was built from the value of the node. New values reuse the invalidated nodes, in a new
/// generation.
@usableFromInline
struct DependencyNodes {
  /// The current generation of each node.
  @usableFromInline private(set) var generations: [Int] = []
  /// The values that were built from each node's value.
  private(set) var users: [[DependencyToken]] = []
  private var free: [Int] = []

  /// Allocates a node for a new value.
  mutating func begin() -> DependencyToken {
    if let node = free.popLast() {
      return DependencyToken(node: node, generation: generations[node])
    }
    generations.append(0)
    users.append([])
    return DependencyToken(node: generations.count - 1, generation: 0)
  }

  @inlinable
  func isCurrent(_ token: DependencyToken) -> Bool { generations[token.node] == token.generation }

  /// Adds the dependency of one value on another.
  mutating func add(_ user: DependencyToken, to part: DependencyToken) {
    // Only `generations` is passed. A copy of `self` would share the memory of `users`, and the
    // write to `users` would then copy the array.
    users[part.node].appendCurrent(user, among: generations)
  }

  /// Invalidates nodes, and every value that was built from them.
  mutating func end(_ tokens: [DependencyToken]) {
    var pending = tokens
    while let token = pending.popLast() {
      guard isCurrent(token) else { continue }
      pending += users[token.node]
      users[token.node] = []
      generations[token.node] += 1
      free.append(token.node)
    }
  }
}

extension [DependencyToken] {
  /// Appends a token unless it is the last one. Invalidated tokens are removed whenever the list
  /// would grow.
  mutating func appendCurrent(_ token: DependencyToken, among generations: [Int]) {
    if last == token { return }
    if count == capacity { removeAll { generations[$0.node] != $0.generation } }
    append(token)
  }
}

/// For each row of an entity type, the resolved values that depend on the row or on the holders of
/// the row.
@usableFromInline
final class DependencyLists<Entity: EntityType> {
  // Exclusive access is not checked, for the same reason as for properties of `DependencyGraph`.
  @exclusivity(unchecked) @usableFromInline private(set) var lists:
    [Entity.EntityID: [DependencyToken]] = [:]

  init() {}

  func add(_ token: DependencyToken, for id: Entity.EntityID, among nodes: DependencyNodes) {
    lists[id, default: []].appendCurrent(token, among: nodes.generations)
  }

  /// Removes the readers of a row and appends them to a list.
  @inlinable
  func take(_ id: Entity.EntityID, into tokens: inout [DependencyToken]) {
    guard let list = lists[id] else { return }
    tokens += list
    removeReaders(of: id)
  }

  @usableFromInline
  func removeReaders(of id: Entity.EntityID) { lists[id] = nil }
}
