/// Collects the resolved values that depend on a difference between two versions.
///
/// The search is specialized in the caller's module, where the types are known. For a commit that
/// affects no resolved value, it only visits the paths through the trees to the changes, and checks
/// once for readers.
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
      pair.visitDifferingIDs { id in
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

/// Checks whether a resolved value has read the holders of any relationship of a holder type.
@frozen
@usableFromInline
struct HolderDependencies<Storage: NormalizedStorageType, Holder: EntityType>: StorageVisitor {
  @usableFromInline typealias Contents = Storage.Contents

  @usableFromInline let graph: DependencyGraph<Storage>
  @usableFromInline let new: Snapshot<Contents>
  @usableFromInline var index = 0
  @usableFromInline var result = false

  @inlinable
  init(graph: DependencyGraph<Storage>, new: Snapshot<Contents>) {
    self.graph = graph
    self.new = new
  }

  @inlinable
  @inline(__always)
  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {
    if Relationship.Holder.self == Holder.self,
      graph.linkReaders(
        at: new.box.layout.relationships[index], of: Relationship.Target.self) != nil
    {
      result = true
    }
    index &+= 1
  }
}

/// Collects the resolved values that read the holders of an entity, for each entity that a holder
/// began or ceased to reference.
@frozen
@usableFromInline
struct StaleLinkDependencies<Storage: NormalizedStorageType, Holder: EntityType>: StorageVisitor {
  @usableFromInline typealias Contents = Storage.Contents

  @usableFromInline let graph: DependencyGraph<Storage>
  @usableFromInline let new: Snapshot<Contents>
  @usableFromInline let changes: TableChanges<Holder>
  @usableFromInline var index = 0
  @usableFromInline var tokens: [DependencyToken] = []

  @inlinable
  init(
    graph: DependencyGraph<Storage>, new: Snapshot<Contents>, changes: TableChanges<Holder>
  ) {
    self.graph = graph
    self.new = new
    self.changes = changes
  }

  @inlinable
  @inline(__always)
  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {
    let offset = new.box.layout.relationships[index]
    index &+= 1
    guard Relationship.Holder.self == Holder.self,
      let readers = graph.linkReaders(at: offset, of: Relationship.Target.self)
    else { return }
    let address = UnsafeRawPointer(new.box.address) + offset
    note(readers.takeUnretainedValue(), address.assumingMemoryBound(to: Relationship.self))
  }

  @usableFromInline
  mutating func note<Relationship: RelationshipType>(
    _ readers: DependencyLists<Relationship.Target>, _ relationship: UnsafePointer<Relationship>
  ) {
    func targets(_ holder: Holder) -> [Relationship.Target.EntityID] {
      relationship.pointee.targetIDs(ofAny: holder) ?? []
    }
    for holder in changes.inserted + changes.removed {
      for target in targets(holder) { readers.take(target, into: &tokens) }
    }
    for update in changes.updated {
      let (before, after) = (targets(update.old), targets(update.new))
      if before == after { continue }
      for target in before + after { readers.take(target, into: &tokens) }
    }
  }
}
