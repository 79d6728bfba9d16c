/// Collects the resolved values that depend on a difference between two versions.
///
/// Specialized in the caller's module, where the types are known. An unrelated commit costs the
/// path through the trees to its changes, and one check for readers.
@frozen
@usableFromInline
struct StaleDependencies<Storage: NormalizedStorageType>: StorageVisitor {
  @usableFromInline typealias Contents = Storage.Contents

  @usableFromInline let memory: DependencyGraph<Storage>
  @usableFromInline let old: Snapshot<Contents>
  @usableFromInline let new: Snapshot<Contents>
  @usableFromInline var index = 0
  @usableFromInline var readings: [DependencyToken] = []

  @inlinable
  init(memory: DependencyGraph<Storage>, old: Snapshot<Contents>, new: Snapshot<Contents>) {
    self.memory = memory
    self.old = old
    self.new = new
  }

  @inlinable
  @inline(__always)
  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    let offset = new.box.layout.tables[index]
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
    _ changes: TableChanges<Entity>, _ rows: DependencyLists<Entity>?
  ) {
    if let rows {
      for entity in changes.inserted { rows.take(entity.entityID, into: &readings) }
      for update in changes.updated { rows.take(update.entityID, into: &readings) }
      for entity in changes.removed { rows.take(entity.entityID, into: &readings) }
    }
    var links = StaleLinkDependencies<Storage, Entity>(memory: memory, new: new, changes: changes)
    Contents.visitParts(&links)
    readings += links.readings
  }

  /// Whether any resolved value has read holders of a type.
  @inlinable
  @inline(__always)
  func asksForHolders<Holder: EntityType>(of holder: Holder.Type) -> Bool {
    if !memory.asksForHolders { return false }
    var search = HolderDependencies<Storage, Holder>(memory: memory, new: new)
    Contents.visitParts(&search)
    return search.result
  }
}
