/// The cache of a resolver, and the version that the cached values belong to.
@usableFromInline
final class DependencyGraph<Storage: NormalizedStorageType> {
  /// A value that is being built.
  private struct Frame {
    /// Whether the value is the same as when it is resolved on its own, so that it can be cached.
    var isWhole = true
    /// Whether the shape repeats below the value. Nested in one of those entities, the value
    /// would differ.
    var isCyclic = false
  }

  @usableFromInline var snapshot: Snapshot<Storage.Contents>?
  @usableFromInline private(set) var remembered = 0
  private(set) var made = 0
  @usableFromInline let limit: Int
  @usableFromInline private(set) var nodes = DependencyNodes()
  private var frames: [Frame] = []
  private var shapes: [ObjectIdentifier: AnyObject] = [:]
  @usableFromInline private(set) var lastShape: ObjectIdentifier?
  @usableFromInline private(set) var lastMemory: AnyObject?
  @usableFromInline private(set) var rowReadings: [ObjectIdentifier: AnyObject] = [:]
  /// The readers of holders, by the byte offset of the relationship in the contents.
  @usableFromInline private(set) var linkReadings: [Int: AnyObject] = [:]

  init(limit: Int) { self.limit = limit }

  @usableFromInline
  func removeAll() {
    nodes = DependencyNodes()
    shapes = [:]
    lastShape = nil
    lastMemory = nil
    rowReadings = [:]
    linkReadings = [:]
    remembered = 0
    snapshot = nil
  }

  /// Moves to another version: invalidates the values that depend on a difference between the
  /// two.
  @inlinable
  func move(to newer: Snapshot<Storage.Contents>) {
    if remembered > limit { removeAll() }
    guard let older = snapshot else {
      snapshot = newer
      return
    }
    if older.isIdentical(to: newer) { return }
    snapshot = newer
    var search = StaleDependencies(memory: self, old: older, new: newer)
    Storage.Contents.visitParts(&search)
    if !search.readings.isEmpty { end(search.readings) }
  }

  @usableFromInline
  func end(_ readings: [DependencyToken]) { nodes.end(readings) }

  /// Returns the cached value of the shape that was resolved last.
  // Specialized in its caller, where the types are known: the usual case costs one lookup.
  @inlinable
  func entry<Shape: EntityShape>(
    _ shape: Shape.Type, of id: Shape.Entity.EntityID
  ) -> ShapeCache<Shape>.Entry? where Shape.Storage == Storage {
    guard let lastMemory, lastShape == ObjectIdentifier(shape),
      let entry = unsafeDowncast(lastMemory, to: ShapeCache<Shape>.self).entries[id],
      nodes.isCurrent(entry.reading)
    else { return nil }
    return entry
  }

  /// Returns an entity as a shape, from the cache or newly built.
  @usableFromInline
  func value<Shape: EntityShape>(
    _ shape: Shape.Type, of id: Shape.Entity.EntityID, for user: DependencyToken?
  ) -> Shape? where Shape.Storage == Storage {
    let memory = memory(of: shape)
    if let entry = memory.entries[id], user == nil || !entry.isCyclic,
      nodes.isCurrent(entry.reading)
    {
      if let user { nodes.add(user, to: entry.reading) }
      return entry.value
    }
    if let place = memory.open[id] {
      // The values between the two are cut short only on this branch, so they are not cached.
      frames[place].isCyclic = true
      for frame in frames.indices.dropFirst(place + 1) { frames[frame].isWhole = false }
      return nil
    }
    guard frames.count < Resolver<Storage>.maximumDepth else {
      for frame in frames.indices { frames[frame].isWhole = false }
      return nil
    }
    return make(shape, of: id, for: user, memory)
  }

  private func make<Shape: EntityShape>(
    _ shape: Shape.Type, of id: Shape.Entity.EntityID, for user: DependencyToken?,
    _ memory: ShapeCache<Shape>
  ) -> Shape? where Shape.Storage == Storage {
    let reading = nodes.begin()
    made += 1
    var value: Shape?
    var frame = Frame()
    if let entity: Shape.Entity = find(id, for: reading) {
      memory.open[id] = frames.count
      frames.append(frame)
      value = Shape(ResolvingView(memory: self, reading: reading, entity: entity))
      frame = frames.removeLast()
      memory.open[id] = nil
    }
    if frame.isWhole, user == nil || !frame.isCyclic {
      let entry = ShapeCache<Shape>.Entry(
        reading: reading, value: value, isCyclic: frame.isCyclic)
      if memory.entries.updateValue(entry, forKey: id) == nil { remembered += 1 }
    }
    if let user {
      nodes.add(user, to: reading)
    } else if !frame.isWhole {
      nodes.end([reading])
    }
    return value
  }

  private func memory<Shape: EntityShape>(of shape: Shape.Type) -> ShapeCache<Shape> {
    let type = ObjectIdentifier(shape)
    if let lastMemory, lastShape == type {
      return unsafeDowncast(lastMemory, to: ShapeCache<Shape>.self)
    }
    let memory =
      shapes[type].map { unsafeDowncast($0, to: ShapeCache<Shape>.self) } ?? ShapeCache<Shape>()
    shapes[type] = memory
    lastShape = type
    lastMemory = memory
    return memory
  }
}

extension DependencyGraph {
  /// Returns the entity with an ID, and records the read. A miss is recorded too.
  func find<Entity: EntityType>(
    _ id: EntityIdentifier<Entity>, for reading: DependencyToken
  ) -> Entity? {
    let readings = rowReadings(of: Entity.self) ?? DependencyLists<Entity>()
    rowReadings[ObjectIdentifier(Entity.self)] = readings
    readings.add(reading, for: id, among: nodes)
    return snapshot?.find(id)
  }

  /// Returns the IDs of the holders of an entity, and records the read.
  func holderIDs<Relationship: RelationshipType>(
    of target: Relationship.Target.EntityID,
    at path: KeyPath<Storage.Contents, Relationship>, for reading: DependencyToken
  ) -> [Relationship.Holder.EntityID] {
    guard let snapshot else { return [] }
    let offset = snapshot.offset(of: path)
    let readings =
      linkReadings(at: offset, of: Relationship.Target.self)
      ?? DependencyLists<Relationship.Target>()
    linkReadings[offset] = readings
    readings.add(reading, for: target, among: nodes)
    return snapshot.withRelationship(at: path) { $0.holderIDs(of: target) }
  }

  /// The readers of the rows of a type, or `nil` when there are none.
  @inlinable
  func rowReadings<Entity: EntityType>(of entity: Entity.Type) -> DependencyLists<Entity>? {
    rowReadings[ObjectIdentifier(entity)].map {
      unsafeDowncast($0, to: DependencyLists<Entity>.self)
    }
  }

  /// Whether any resolved value has read the holders of an entity.
  @inlinable
  var asksForHolders: Bool { !linkReadings.isEmpty }

  /// The resolved values that read the holders of an entity through a relationship, or `nil` when
  /// there are none.
  @inlinable
  func linkReadings<Target: EntityType>(
    at offset: Int, of target: Target.Type
  ) -> DependencyLists<Target>? {
    linkReadings[offset].map { unsafeDowncast($0, to: DependencyLists<Target>.self) }
  }
}
