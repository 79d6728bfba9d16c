/// Collects the resolved values that depend on a difference between two versions.
///
/// Specialized in the caller's module, where the types are known. For an unrelated commit, it only
/// visits the paths through the trees to the changes, and checks once for readers.
@frozen
@usableFromInline
struct StaleDependencies<Storage: NormalizedStorageType>: TablePairVisitor {
  @usableFromInline typealias Contents = Storage.Contents

  @usableFromInline let graph: DependencyGraph<Storage>
  @usableFromInline let new: Snapshot<Contents>
  @usableFromInline var pairs: TablePairs
  @usableFromInline var tokens: [DependencyToken] = []

  /// Creates a search. The caller keeps both versions alive.
  @inlinable
  init(graph: DependencyGraph<Storage>, old: Snapshot<Contents>, new: Snapshot<Contents>) {
    self.graph = graph
    self.new = new
    pairs = TablePairs(old.box.address, new.box.address, offsets: new.box.layout.tables)
  }

  @inlinable
  @inline(__always)
  mutating func visit<Table: TableType>(_ pair: TablePair<Table>) {
    if !pair.isSame { compare(pair) }
  }

  @inlinable
  mutating func compare<Table: TableType>(_ pair: TablePair<Table>) {
    let rows = graph.rowReaders(of: Table.Entity.self)
    if hasHolderReaders(of: Table.Entity.self) || (Table.isOrdered && rows != nil) {
      note(pair.new.pointee.changes(since: pair.old.pointee), rows?.takeUnretainedValue())
    } else if !Table.isOrdered, let rows {
      typealias Rows = Tables.Hash<Table.Entity>
      Rows.visitDifferingIDs(
        UnsafeRawPointer(pair.old).assumingMemoryBound(to: Rows.self),
        UnsafeRawPointer(pair.new).assumingMemoryBound(to: Rows.self)
      ) { id in
        rows._withUnsafeGuaranteedRef { $0.take(id, into: &tokens) }
      }
    }
  }

  @inlinable
  mutating func note<Entity: EntityType>(
    _ changes: TableChanges<Entity>, _ rows: DependencyLists<Entity>?
  ) {
    if let rows {
      for entity in changes.inserted { rows.take(entity.entityID, into: &tokens) }
      for update in changes.updated { rows.take(update.entityID, into: &tokens) }
      for entity in changes.removed { rows.take(entity.entityID, into: &tokens) }
    }
    var links = StaleLinkDependencies<Storage, Entity>(graph: graph, new: new, changes: changes)
    Contents.visitParts(&links)
    tokens += links.tokens
  }

  /// Whether any resolved value has read holders of a type.
  @inlinable
  @inline(__always)
  func hasHolderReaders<Holder: EntityType>(of holder: Holder.Type) -> Bool {
    if !graph.hasHolderReaders { return false }
    var search = HolderDependencies<Storage, Holder>(graph: graph, new: new)
    Contents.visitParts(&search)
    return search.result
  }
}
