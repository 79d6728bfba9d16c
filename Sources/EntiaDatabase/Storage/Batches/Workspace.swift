/// The contents that a batch works on, in memory of their own, beside the version it began with.
@usableFromInline
final class Workspace<Storage: NormalizedStorageType> {
  @usableFromInline let base: Snapshot<Storage.Contents>
  @usableFromInline let contents: UnsafeMutablePointer<Storage.Contents>
  @usableFromInline var problems: [BatchProblem] = []
  @usableFromInline var isOpen = true
  /// The removals that a rule denies unless the batch makes up for them, by relationship.
  var denials: [String: any PendingDenials<Storage>] = [:]
  @usableFromInline var hasDenials = false
  /// Where removals are written down, in a workspace that only finds out what they would do.
  var record: DeletionRecord?
  /// The IDs that were held before their rows, by the places of their parts.
  var earlyIDs: [UnsafeMutableRawPointer: AnyObject] = [:]
  @usableFromInline var hasEarlyIDs = false
  /// How many denials were noted in all.
  var deniedCount = 0

  // Compiled into its caller, as the batch is: it knows the types, which take longer to look up than
  // a row takes to be changed.
  @inlinable
  init(_ base: Snapshot<Storage.Contents>) {
    self.base = base
    contents = .allocate(capacity: 1)
    contents.initialize(to: base.contents)
  }

  deinit {
    contents.deinitialize(count: 1)
    contents.deallocate()
  }

  /// Keeps relationships and indexes in step with a row that was written.
  @inlinable
  @inline(__always)
  func rowChanged<Entity: EntityType>(from old: Entity?, to new: Entity?) {
    var upkeep = RowUpkeep<Storage.Contents, Entity>(contents: contents, old: old, new: new)
    Storage.Contents.visitParts(&upkeep)
    if hasDenials, let old { settleDenials(of: old) }
  }

  /// Ends the batch and returns the version it made.
  @inlinable
  func close() -> Snapshot<Storage.Contents> {
    isOpen = false
    return version()
  }

  /// The version as the batch has it now; the one it began with when nothing was touched.
  @inlinable
  func version() -> Snapshot<Storage.Contents> {
    if isUntouched { return base }
    if base.box.layout.isUnjudged { return Snapshot(unchecked: contents.pointee) }
    return Snapshot(unchecked: contents.pointee, after: base)
  }

  /// What the batch has done so far.
  var changes: StorageChangeSet<Storage> {
    var changes = StorageChangeSet<Storage>(
      from: base.box.place, to: contents, base.box.layout)
    // What is denied is no version that a change set may lead to.
    if hasDenials { for denied in denials.values { denied.withdraw(from: &changes) } }
    return changes
  }

  /// Whether no row has been written, and no ID that the user holds.
  @inlinable
  var isUntouched: Bool {
    if base.box.layout.hasHeldIDs { return contents.pointee.hasIdenticalTables(base.contents) }
    var search = TouchedTableSearch<Storage.Contents>(
      base.box.place, contents, offsets: base.box.layout.tables)
    Storage.Contents.visitParts(&search)
    return !search.isTouched
  }
}

/// Tells the relationships and indexes of one entity type that one of its rows changed.
@frozen
@usableFromInline
struct RowUpkeep<Contents: StorageContents, Entity: EntityType>: StorageVisitor {
  @usableFromInline let contents: UnsafeMutablePointer<Contents>
  @usableFromInline let old: Entity?
  @usableFromInline let new: Entity?

  @inlinable
  init(contents: UnsafeMutablePointer<Contents>, old: Entity?, new: Entity?) {
    self.contents = contents
    self.old = old
    self.new = new
  }

  @inlinable
  @inline(__always)
  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Relationship> & Sendable
  ) {
    guard Relationship.Holder.self == Entity.self else { return }
    contents.part(at: path).pointee.holderChanged(
      from: recast(old, as: Relationship.Holder?.self),
      to: recast(new, as: Relationship.Holder?.self))
  }

  @inlinable
  @inline(__always)
  mutating func index<Index: IndexType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Index> & Sendable
  ) {
    guard Index.Entity.self == Entity.self else { return }
    contents.part(at: path).pointee.rowChanged(
      from: recast(old, as: Index.Entity?.self), to: recast(new, as: Index.Entity?.self))
  }
}
