extension NormalizedStorageType {
  /// Returns the entities that no root reaches, to remove them in a batch.
  ///
  /// ```swift
  /// let plan = library.collect(roots: [.table(of: Shelf.self)])
  /// try library.performBatchUpdates { try $0.remove(plan) }
  /// ```
  ///
  /// - Parameters:
  ///   - roots: The entities that are in use by definition. A plan without any root is not carried
  ///     out.
  ///   - reach: The references to follow from entities in use.
  ///   - keepsHeld: Whether entities whose IDs the user holds are in use, too.
  /// - Complexity: O(*n*) expected in the number of rows. The traversal does not recurse.
  public func collect(
    roots: [CollectionRoot], following reach: CollectionReach = .keys,
    keepingHeld keepsHeld: Bool = true
  ) -> GarbageCollectionPlan<Self> {
    GarbageCollectionPlan(of: snapshot, roots, reach, keepsHeld: keepsHeld)
  }
}

extension BatchContext {
  /// Returns the entities that no root reaches in the current state of the batch.
  /// - Parameters:
  ///   - roots: The entities that are in use by definition. A plan without any root is not carried
  ///     out.
  ///   - reach: The references to follow from entities in use.
  ///   - keepsHeld: Whether entities whose IDs the user holds are in use, too.
  /// - Complexity: O(*n*) expected in the number of rows. The traversal does not recurse.
  package func collect(
    roots: [CollectionRoot], following reach: CollectionReach = .keys,
    keepingHeld keepsHeld: Bool = true
  ) -> GarbageCollectionPlan<Storage> {
    GarbageCollectionPlan(of: transaction.version(), roots, reach, keepsHeld: keepsHeld)
  }

  /// Removes exactly the entities that the plan lists. Delete rules are not applied: no remaining
  /// entity references a removed one.
  /// - Throws: `CollectionError.stale` when the tables, or the held IDs that the plan keeps, have
  ///   changed since the plan was created. `CollectionError.noRoots` when the plan would remove
  ///   every row because nothing is in use. Nothing is removed then.
  /// - Complexity: O(log *n*) for each removed row.
  public mutating func remove(_ plan: GarbageCollectionPlan<Storage>) throws(CollectionError) {
    let base = plan.base.box
    guard UnsafePointer(transaction.contents).hasIdenticalTables(base.address, base.layout),
      !plan.keepsHeld || transaction.contents.pointee.hasEqualHeldIDs(base.address.pointee)
    else { throw .stale(storage: String(describing: Storage.self)) }
    guard plan.hasRoots || plan.isEmpty else {
      throw .noRoots(storage: String(describing: Storage.self))
    }
    var removal = RowRemoval(transaction: transaction, changes: plan.unreached)
    Storage.Contents.visitParts(&removal)
  }
}

extension GarbageCollectionPlan {
  fileprivate init(
    of base: Snapshot<Storage.Contents>, _ roots: [CollectionRoot], _ direction: CollectionReach,
    keepsHeld: Bool
  ) {
    let reach = Reachability(base, following: direction)
    for root in roots { root.mark.mark(in: reach) }
    var held = HeldRoots(reach: reach)
    if keepsHeld { Storage.Contents.visitParts(&held) }
    reach.spread()
    let transaction = BatchTransaction<Storage>(base)
    var sweep = Sweep(reach: reach, contents: transaction.contents)
    Storage.Contents.visitParts(&sweep)
    self.base = base
    self.keepsHeld = keepsHeld
    hasRoots = !roots.isEmpty || held.isAnyHeld
    removals = sweep.removals
    unreached = transaction.changes
  }
}

/// Marks the entities whose IDs are held as reached.
struct HeldRoots<Contents: StorageContents>: HeldIDsVisitor {
  let reach: Reachability<Contents>
  private(set) var isAnyHeld = false

  init(reach: Reachability<Contents>) { self.reach = reach }

  mutating func heldIDs<IDs: HeldIDs>(_ name: String, _ path: PartPath<Contents, IDs>) {
    let ids = Array(reach.snapshot.contents[keyPath: path])
    if ids.isEmpty { return }
    isAnyHeld = true
    reach.rows(of: IDs.Entity.self).add(ids)
  }
}

/// Removes the unreached rows from the tables.
private struct Sweep<Contents: StorageContents>: StorageVisitor {
  let reach: Reachability<Contents>
  let contents: UnsafeMutablePointer<Contents>
  var removals: [EntityLabel] = []

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    let reached = reach.rows(of: Table.Entity.self).ids
    let table = contents.part(at: path)
    let unreached = table.pointee.map(\.entityID).filter { !reached.contains($0) }
    for id in unreached { table.pointee.remove(id) }
    removals += unreached.map(EntityLabel.init)
  }
}

/// Removes the rows that a change set removes, and nothing else.
private struct RowRemoval<Storage: NormalizedStorageType>: StorageVisitor {
  typealias Contents = Storage.Contents

  let transaction: BatchTransaction<Storage>
  let changes: StorageChangeSet<Storage>

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    let table = transaction.contents.part(at: path)
    for entity in changes.changes(of: Table.Entity.self).removed {
      guard let removed = table.pointee.remove(entity.entityID) else { continue }
      transaction.rowChanged(from: removed, to: nil)
    }
  }
}
