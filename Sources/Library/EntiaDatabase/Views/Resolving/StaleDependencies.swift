/// Collects the resolved values that depend on a difference between two versions.
///
/// Specialized in the caller's module, where the types are known. Tables whose rows no resolved
/// value has read are skipped, and so are all relationships if no value has read holders.
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
    let offset = new.box.layout.relationships[index]
    index &+= 1
    if !graph.hasHolderReaders { return }
    Relationship.visitDifferingTargets(
      (UnsafeRawPointer(old.box.address) + offset).assumingMemoryBound(to: Relationship.self),
      (UnsafeRawPointer(new.box.address) + offset).assumingMemoryBound(to: Relationship.self)
    ) { target in
      let readers = graph.linkReaders(at: offset, of: Relationship.Target.self)
      readers?._withUnsafeGuaranteedRef { $0.take(target, into: &tokens) }
    }
  }
}
