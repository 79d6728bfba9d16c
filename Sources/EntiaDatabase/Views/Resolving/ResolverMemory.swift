/// What a resolver remembers, and the version that it is of.
@usableFromInline
final class ResolverMemory<Storage: NormalizedStorageType> {
  /// A value that is being made.
  private struct Frame {
    /// Whether it is as it would be on its own, and so worth remembering.
    var isWhole = true
    /// Whether the branch came back to it: nested in what it leads to, it would be another.
    var isCyclic = false
  }

  @usableFromInline var snapshot: Snapshot<Storage.Contents>?
  @usableFromInline private(set) var remembered = 0
  private(set) var made = 0
  @usableFromInline let limit: Int
  @usableFromInline private(set) var nodes = ReadingNodes()
  private var frames: [Frame] = []
  private var shapes: [ObjectIdentifier: AnyObject] = [:]
  @usableFromInline private(set) var lastShape: ObjectIdentifier?
  @usableFromInline private(set) var lastMemory: AnyObject?
  @usableFromInline private(set) var rowReadings: [ObjectIdentifier: AnyObject] = [:]
  /// By how far the relationship is from the beginning of the contents.
  @usableFromInline private(set) var linkReadings: [Int: AnyObject] = [:]

  init(limit: Int) { self.limit = limit }

  @usableFromInline
  func removeAll() {
    nodes = ReadingNodes()
    shapes = [:]
    lastShape = nil
    lastMemory = nil
    rowReadings = [:]
    linkReadings = [:]
    remembered = 0
    snapshot = nil
  }

  /// Forgets what was made of anything that differs in another version, and reads that one from here on.
  @inlinable
  func move(to newer: Snapshot<Storage.Contents>) {
    if remembered > limit { removeAll() }
    guard let older = snapshot else {
      snapshot = newer
      return
    }
    if older.isIdentical(to: newer) { return }
    snapshot = newer
    var search = StaleReadings(memory: self, old: older, new: newer)
    Storage.Contents.visitParts(&search)
    if !search.readings.isEmpty { end(search.readings) }
  }

  @usableFromInline
  func end(_ readings: [Reading]) { nodes.end(readings) }

  /// Returns what is remembered of the shape that was asked for last.
  // Compiled into its caller, who knows the types: the usual case costs one look-up.
  @inlinable
  func entry<Shape: EntityShape>(
    _ shape: Shape.Type, of id: Shape.Entity.EntityID
  ) -> ShapeMemory<Shape>.Entry? where Shape.Storage == Storage {
    guard let lastMemory, lastShape == ObjectIdentifier(shape),
      let entry = unsafeDowncast(lastMemory, to: ShapeMemory<Shape>.self).entries[id],
      nodes.isCurrent(entry.reading)
    else { return nil }
    return entry
  }

  /// Returns an entity as a shape: remembered, or made.
  @usableFromInline
  func value<Shape: EntityShape>(
    _ shape: Shape.Type, of id: Shape.Entity.EntityID, for user: Reading?
  ) -> Shape? where Shape.Storage == Storage {
    let memory = memory(of: shape)
    if let entry = memory.entries[id], user == nil || !entry.isCyclic,
      nodes.isCurrent(entry.reading)
    {
      if let user { nodes.add(user, to: entry.reading) }
      return entry.value
    }
    if let place = memory.open[id] {
      // What stands between the two is so on this branch alone.
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
    _ shape: Shape.Type, of id: Shape.Entity.EntityID, for user: Reading?,
    _ memory: ShapeMemory<Shape>
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
      let entry = ShapeMemory<Shape>.Entry(
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

  private func memory<Shape: EntityShape>(of shape: Shape.Type) -> ShapeMemory<Shape> {
    let type = ObjectIdentifier(shape)
    if let lastMemory, lastShape == type {
      return unsafeDowncast(lastMemory, to: ShapeMemory<Shape>.self)
    }
    let memory =
      shapes[type].map { unsafeDowncast($0, to: ShapeMemory<Shape>.self) } ?? ShapeMemory<Shape>()
    shapes[type] = memory
    lastShape = type
    lastMemory = memory
    return memory
  }
}

extension ResolverMemory {
  /// Returns the entity with an ID, and notes who read it; a miss is read too.
  func find<Entity: EntityType>(
    _ id: EntityIdentifier<Entity>, for reading: Reading
  ) -> Entity? {
    let readings = rowReadings(of: Entity.self) ?? ReadingLists<Entity>()
    rowReadings[ObjectIdentifier(Entity.self)] = readings
    readings.add(reading, for: id, among: nodes)
    return snapshot?.find(id)
  }

  /// Returns the IDs of those that name an entity, and notes who asked.
  func holderIDs<Relationship: RelationshipType>(
    of target: Relationship.Target.EntityID,
    at path: KeyPath<Storage.Contents, Relationship>, for reading: Reading
  ) -> [Relationship.Holder.EntityID] {
    guard let snapshot else { return [] }
    let offset = snapshot.offset(of: path)
    let readings =
      linkReadings(at: offset, of: Relationship.Target.self)
      ?? ReadingLists<Relationship.Target>()
    linkReadings[offset] = readings
    readings.add(reading, for: target, among: nodes)
    return snapshot.withRelationship(at: path) { $0.holderIDs(of: target) }
  }

  /// Who read rows of a type, if anybody did.
  @inlinable
  func rowReadings<Entity: EntityType>(of entity: Entity.Type) -> ReadingLists<Entity>? {
    rowReadings[ObjectIdentifier(entity)].map {
      unsafeDowncast($0, to: ReadingLists<Entity>.self)
    }
  }

  /// Whether anybody asked who names an entity.
  @inlinable
  var asksForHolders: Bool { !linkReadings.isEmpty }

  /// Who asked who names an entity through a relationship, if anybody did.
  @inlinable
  func linkReadings<Target: EntityType>(
    at offset: Int, of target: Target.Type
  ) -> ReadingLists<Target>? {
    linkReadings[offset].map { unsafeDowncast($0, to: ReadingLists<Target>.self) }
  }
}
