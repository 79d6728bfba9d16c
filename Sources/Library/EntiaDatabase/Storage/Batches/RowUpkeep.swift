public import EntiaCollections

/// Updates the relationships and indexes of one entity type after a row changed.
@frozen
@usableFromInline
struct RowUpkeep<Contents: StorageContents, Entity: EntityType>: StorageVisitor {
  @usableFromInline let contents: UnsafeMutablePointer<Contents>
  @usableFromInline let old: Entity?
  @usableFromInline let new: Entity?
  /// Whether `ToOne` relationships are skipped, because `FillUpkeep` will update them.
  @usableFromInline let isFilling: Bool

  @inlinable
  init(
    contents: UnsafeMutablePointer<Contents>, old: Entity?, new: Entity?, isFilling: Bool = false
  ) {
    self.contents = contents
    self.old = old
    self.new = new
    self.isFilling = isFilling
  }

  @inlinable
  @inline(__always)
  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {
    guard Relationship.Holder.self == Entity.self, Relationship.isToMany || !isFilling
    else { return }
    contents.part(at: path).pointee.holderChanged(
      from: recast(old, as: Relationship.Holder?.self),
      to: recast(new, as: Relationship.Holder?.self))
  }

  @inlinable
  @inline(__always)
  mutating func index<Index: IndexType>(_ name: String, _ path: PartPath<Contents, Index>) {
    guard Index.Entity.self == Entity.self else { return }
    contents.part(at: path).pointee.rowChanged(
      from: recast(old, as: Index.Entity?.self), to: recast(new, as: Index.Entity?.self))
  }
}

/// Updates the relationship or index of a row that was inserted into an empty table, in a database
/// that has at most one relationship or index. The row is read in the memory of the table. A
/// `ToOne` is skipped, because `FillUpkeep` updates it.
@frozen
@usableFromInline
struct InsertionUpkeep<Contents: StorageContents, Entity: EntityType>: StorageVisitor {
  @usableFromInline let contents: UnsafeMutablePointer<Contents>
  @usableFromInline let row: UnsafePointer<Entity>

  @inlinable
  init(contents: UnsafeMutablePointer<Contents>, row: UnsafePointer<Entity>) {
    self.contents = contents
    self.row = row
  }

  @inlinable
  @inline(__always)
  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {
    guard Relationship.Holder.self == Entity.self, Relationship.isToMany else { return }
    contents.part(at: path).pointee.holderChanged(
      from: nil, to: recast(row.pointee, as: Relationship.Holder.self))
  }

  @inlinable
  @inline(__always)
  mutating func index<Index: IndexType>(_ name: String, _ path: PartPath<Contents, Index>) {
    guard Index.Entity.self == Entity.self else { return }
    contents.part(at: path).pointee.rowChanged(
      from: nil, to: recast(row.pointee, as: Index.Entity.self))
  }
}

/// Updates the `ToOne` relationships of an entity type after an empty table was filled.
@frozen
@usableFromInline
struct FillUpkeep<Contents: StorageContents, Entity: EntityType>: StorageVisitor {
  @usableFromInline let contents: UnsafeMutablePointer<Contents>
  @usableFromInline let rows: PersistentTable<EntityTableLayout<Entity>>

  @inlinable
  init(
    contents: UnsafeMutablePointer<Contents>, rows: PersistentTable<EntityTableLayout<Entity>>
  ) {
    self.contents = contents
    self.rows = rows
  }

  @inlinable
  @inline(__always)
  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {
    guard Relationship.Holder.self == Entity.self, !Relationship.isToMany else { return }
    // `Relationship` is `ToOne<Entity, Relationship.Target>`, because the only other relationship
    // type, `ToMany`, was excluded above.
    let relationship = UnsafeMutableRawPointer(contents.part(at: path))
      .assumingMemoryBound(to: ToOne<Entity, Relationship.Target>.self)
    ToOne.linkAll(rows, in: relationship)
  }
}

/// Updates the relationships and indexes of one entity type after a row was replaced. Unchanged
/// keys are skipped.
@frozen
@usableFromInline
struct ReplacementUpkeep<Contents: StorageContents, Entity: EntityType>: StorageVisitor {
  @usableFromInline let contents: UnsafeMutablePointer<Contents>
  @usableFromInline let keys: StoredKeys
  @usableFromInline let old: UnsafePointer<Entity>
  @usableFromInline let new: UnsafePointer<Entity>
  /// The position of the next part among the relationships and indexes.
  @usableFromInline var position = 0

  @inlinable
  init(
    contents: UnsafeMutablePointer<Contents>, keys: StoredKeys, old: UnsafePointer<Entity>,
    new: UnsafePointer<Entity>
  ) {
    self.contents = contents
    self.keys = keys
    self.old = old
    self.new = new
  }

  @inlinable
  @inline(__always)
  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {
    defer { position &+= 1 }
    guard Relationship.Holder.self == Entity.self, !keys.areSame(position, in: old, new)
    else { return }
    contents.part(at: path).pointee.holderChanged(
      from: recast(old.pointee as Entity?, as: Relationship.Holder?.self),
      to: recast(new.pointee as Entity?, as: Relationship.Holder?.self))
  }

  @inlinable
  @inline(__always)
  mutating func index<Index: IndexType>(_ name: String, _ path: PartPath<Contents, Index>) {
    defer { position &+= 1 }
    guard Index.Entity.self == Entity.self, !keys.areSame(position, in: old, new)
    else { return }
    contents.part(at: path).pointee.rowChanged(
      from: recast(old.pointee as Entity?, as: Index.Entity?.self),
      to: recast(new.pointee as Entity?, as: Index.Entity?.self))
  }
}
