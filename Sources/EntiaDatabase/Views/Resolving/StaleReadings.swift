/// Collects who read anything that differs between two versions.
///
/// Compiled into whoever resolves, who knows the types: an unrelated commit costs the way through the
/// trees to what it changed, and a look at whether anybody read that.
@frozen
@usableFromInline
struct StaleReadings<Storage: NormalizedStorageType>: StorageVisitor {
  @usableFromInline typealias Contents = Storage.Contents

  @usableFromInline let memory: ResolverMemory<Storage>
  @usableFromInline let old: Snapshot<Contents>
  @usableFromInline let new: Snapshot<Contents>
  @usableFromInline var index = 0
  @usableFromInline var readings: [Reading] = []

  @inlinable
  init(memory: ResolverMemory<Storage>, old: Snapshot<Contents>, new: Snapshot<Contents>) {
    self.memory = memory
    self.old = old
    self.new = new
  }

  @inlinable
  @inline(__always)
  mutating func table<Table: TableType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Table> & Sendable
  ) {
    let offset = new.box.tableOffsets.start[index]
    index &+= 1
    let before = UnsafeRawPointer(old.box.place) + offset
    let after = UnsafeRawPointer(new.box.place) + offset
    if Table.isOrdered {
      compareOrdered(
        before.assumingMemoryBound(to: Tables.Ordered<Table.Entity>.self),
        after.assumingMemoryBound(to: Tables.Ordered<Table.Entity>.self))
    } else {
      compare(
        before.assumingMemoryBound(to: Tables.Hash<Table.Entity>.self),
        after.assumingMemoryBound(to: Tables.Hash<Table.Entity>.self))
    }
  }

  @inlinable
  mutating func compare<Entity: EntityType>(
    _ before: UnsafePointer<Tables.Hash<Entity>>, _ after: UnsafePointer<Tables.Hash<Entity>>
  ) {
    if Tables.Hash.isSame(before, after) { return }
    let rows = memory.rowReadings(of: Entity.self)
    if asksForHolders(of: Entity.self) {
      note(after.pointee.changes(since: before.pointee), rows)
    } else if let rows {
      Tables.Hash.visitDiffering(before, after) {
        rows.take($0.pointee.entityID, into: &readings)
      }
    }
  }

  @usableFromInline
  mutating func compareOrdered<Entity: EntityType>(
    _ before: UnsafePointer<Tables.Ordered<Entity>>, _ after: UnsafePointer<Tables.Ordered<Entity>>
  ) {
    if after.pointee.isIdentical(to: before.pointee) { return }
    let rows = memory.rowReadings(of: Entity.self)
    guard rows != nil || asksForHolders(of: Entity.self) else { return }
    note(after.pointee.changes(since: before.pointee), rows)
  }

  @inlinable
  mutating func note<Entity: EntityType>(
    _ changes: TableChanges<Entity>, _ rows: ReadingLists<Entity>?
  ) {
    if let rows {
      for entity in changes.inserted { rows.take(entity.entityID, into: &readings) }
      for update in changes.updated { rows.take(update.entityID, into: &readings) }
      for entity in changes.removed { rows.take(entity.entityID, into: &readings) }
    }
    var links = StaleLinkReadings<Storage, Entity>(memory: memory, new: new, changes: changes)
    Contents.visitParts(&links)
    readings += links.readings
  }

  /// Whether anybody asked who of a type names an entity.
  @inlinable
  @inline(__always)
  func asksForHolders<Holder: EntityType>(of holder: Holder.Type) -> Bool {
    if !memory.asksForHolders { return false }
    var search = AskedHolders<Storage, Holder>(memory: memory, new: new)
    Contents.visitParts(&search)
    return search.result
  }
}

/// Looks for relationships of a holder's type that anybody asked about.
@frozen
@usableFromInline
struct AskedHolders<Storage: NormalizedStorageType, Holder: EntityType>: StorageVisitor {
  @usableFromInline typealias Contents = Storage.Contents

  @usableFromInline let memory: ResolverMemory<Storage>
  @usableFromInline let new: Snapshot<Contents>
  @usableFromInline var index = 0
  @usableFromInline var result = false

  @inlinable
  init(memory: ResolverMemory<Storage>, new: Snapshot<Contents>) {
    self.memory = memory
    self.new = new
  }

  @inlinable
  @inline(__always)
  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Relationship> & Sendable
  ) {
    if Relationship.Holder.self == Holder.self,
      memory.linkReadings(
        at: new.box.tableOffsets.relationships[index], of: Relationship.Target.self) != nil
    {
      result = true
    }
    index &+= 1
  }
}

/// Collects who asked who names an entity, where holders began or ceased to name it.
@frozen
@usableFromInline
struct StaleLinkReadings<Storage: NormalizedStorageType, Holder: EntityType>: StorageVisitor {
  @usableFromInline typealias Contents = Storage.Contents

  @usableFromInline let memory: ResolverMemory<Storage>
  @usableFromInline let new: Snapshot<Contents>
  @usableFromInline let changes: TableChanges<Holder>
  @usableFromInline var index = 0
  @usableFromInline var readings: [Reading] = []

  @inlinable
  init(
    memory: ResolverMemory<Storage>, new: Snapshot<Contents>, changes: TableChanges<Holder>
  ) {
    self.memory = memory
    self.new = new
    self.changes = changes
  }

  @inlinable
  @inline(__always)
  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Relationship> & Sendable
  ) {
    let offset = new.box.tableOffsets.relationships[index]
    index &+= 1
    guard Relationship.Holder.self == Holder.self,
      let asked = memory.linkReadings(at: offset, of: Relationship.Target.self)
    else { return }
    let place = UnsafeRawPointer(new.box.place) + offset
    note(asked, place.assumingMemoryBound(to: Relationship.self))
  }

  @usableFromInline
  mutating func note<Relationship: RelationshipType>(
    _ asked: ReadingLists<Relationship.Target>, _ relationship: UnsafePointer<Relationship>
  ) {
    func targets(_ holder: Holder) -> [Relationship.Target.EntityID] {
      relationship.pointee.targetIDs(of: recast(holder, as: Relationship.Holder.self))
    }
    for holder in changes.inserted + changes.removed {
      for target in targets(holder) { asked.take(target, into: &readings) }
    }
    for update in changes.updated {
      let (before, after) = (targets(update.old), targets(update.new))
      if before == after { continue }
      for target in before + after { asked.take(target, into: &readings) }
    }
  }
}
