/// Collects the resolved values that depend on a difference between two versions.
///
/// Specialized in the caller's module, where the types are known. For an unrelated commit, it only
/// visits the paths through the trees to the changes, and checks once for readers.
@frozen
@usableFromInline
struct StaleDependencies<Storage: NormalizedStorageType>: TablePairVisitor {
  @usableFromInline typealias Contents = Storage.Contents

  @usableFromInline let graph: DependencyGraph<Storage>
  @usableFromInline let old: Snapshot<Contents>
  @usableFromInline let new: Snapshot<Contents>
  @usableFromInline var pairs: TablePairs
  /// The index of the next relationship.
  @usableFromInline var index = 0
  @usableFromInline var tokens: [DependencyToken] = []

  /// Creates a search. The caller keeps both versions alive.
  @inlinable
  init(graph: DependencyGraph<Storage>, old: Snapshot<Contents>, new: Snapshot<Contents>) {
    (self.graph, self.old, self.new) = (graph, old, new)
    pairs = TablePairs(old.box.address, new.box.address, offsets: new.box.layout.tables)
  }

  @inlinable
  @inline(__always)
  mutating func visit<Table: TableType>(_ pair: TablePair<Table>) {
    if !pair.isSame { compare(pair) }
  }

  @inlinable
  mutating func compare<Table: TableType>(_ pair: TablePair<Table>) {
    guard let rows = graph.rowReaders(of: Table.Entity.self) else { return }
    if Table.isOrdered {
      note(pair.new.pointee.changes(since: pair.old.pointee), rows.takeUnretainedValue())
    } else {
      pair.visitDifferingIDs { id in
        rows._withUnsafeGuaranteedRef { $0.take(id, into: &tokens) }
      }
    }
  }

  @usableFromInline
  mutating func note<Entity: EntityType>(
    _ changes: TableChanges<Entity>, _ rows: DependencyLists<Entity>
  ) {
    for entity in changes.inserted { rows.take(entity.entityID, into: &tokens) }
    for update in changes.updated { rows.take(update.entityID, into: &tokens) }
    for entity in changes.removed { rows.take(entity.entityID, into: &tokens) }
  }

  @inlinable
  @inline(__always)
  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {
    typealias One = ToOne<Relationship.Holder, Relationship.Target>
    typealias Many = ToMany<Relationship.Holder, Relationship.Target>
    let offset = new.box.layout.relationships[index]
    index &+= 1
    if !graph.hasHolderReaders { return }
    let (before, after) = (
      UnsafeRawPointer(old.box.address) + offset, UnsafeRawPointer(new.box.address) + offset
    )
    // Comparing types takes less time than a cast to `LinkedRelationship`.
    if Relationship.self == One.self {
      compare(
        before.assumingMemoryBound(to: One.self).pointer(to: \.links),
        after.assumingMemoryBound(to: One.self).pointer(to: \.links), at: offset)
    } else if Relationship.self == Many.self {
      compare(
        before.assumingMemoryBound(to: Many.self).pointer(to: \.links),
        after.assumingMemoryBound(to: Many.self).pointer(to: \.links), at: offset)
    }
  }

  /// Collects the values that read the holders of an entity whose holders, or their order, differ.
  @inlinable
  @inline(__always)
  mutating func compare<Holder: EntityType, Target: EntityType>(
    _ old: UnsafePointer<LinkMap<Holder, Target>>?, _ new: UnsafePointer<LinkMap<Holder, Target>>?,
    at offset: Int
  ) {
    guard let old, let new, !LinkMap.isSame(old, new) else { return }
    compareLinks(old, new, at: offset)
  }

  @inlinable
  mutating func compareLinks<Holder: EntityType, Target: EntityType>(
    _ old: UnsafePointer<LinkMap<Holder, Target>>, _ new: UnsafePointer<LinkMap<Holder, Target>>,
    at offset: Int
  ) {
    guard let readers = graph.linkReaders(at: offset, of: Target.self) else { return }
    LinkMap.visitDifferingTargets(old, new) { target in
      readers._withUnsafeGuaranteedRef { $0.take(target, into: &tokens) }
    }
  }
}
