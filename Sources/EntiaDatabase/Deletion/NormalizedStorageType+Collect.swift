extension NormalizedStorageType {
  /// Returns what no root reaches, for removing it in a batch.
  ///
  /// ```swift
  /// let plan = library.collect(roots: [.table(of: Shelf.self)])
  /// try library.performBatchUpdates { try $0.remove(plan) }
  /// ```
  ///
  /// - Parameters:
  ///   - roots: what is in use for itself; with none, nothing is reached.
  ///   - reach: what else is in use.
  /// - Complexity: O(*n*) expected in the number of rows; no stack is used up by depth.
  public func collect(
    roots: [CollectionRoot], following reach: CollectionReach = .keys
  ) -> CollectionPlan<Self> {
    CollectionPlan(of: snapshot, roots, reach)
  }
}

extension BatchContext {
  /// Returns what no root reaches in the database as the batch has it now.
  /// - Parameters:
  ///   - roots: what is in use for itself; with none, nothing is reached.
  ///   - reach: what else is in use.
  /// - Complexity: O(*n*) expected in the number of rows; no stack is used up by depth.
  public func collect(
    roots: [CollectionRoot], following reach: CollectionReach = .keys
  ) -> CollectionPlan<Storage> {
    CollectionPlan(of: workspace.version(), roots, reach)
  }

  /// Removes exactly what the plan lists. Delete rules are not followed: nothing that stays names
  /// what goes.
  /// - Throws: `CollectionError.stale` when the database is another than the plan was made for;
  ///   nothing is then removed.
  /// - Complexity: O(log *n*) for each row that is removed.
  public mutating func remove(_ plan: CollectionPlan<Storage>) throws(CollectionError) {
    guard workspace.contents.pointee.hasIdenticalTables(plan.base.contents) else {
      throw .stale(storage: String(describing: Storage.self))
    }
    var removal = RowRemoval(workspace: workspace, changes: plan.unreached)
    Storage.Contents.visitParts(&removal)
  }
}

extension CollectionPlan {
  fileprivate init(
    of base: Snapshot<Storage.Contents>, _ roots: [CollectionRoot], _ direction: CollectionReach
  ) {
    let reach = Reach(base, following: direction)
    for root in roots { root.mark.mark(in: reach) }
    reach.spread()
    let workspace = Workspace<Storage>(base)
    var sweep = Sweep(reach: reach, contents: workspace.contents)
    Storage.Contents.visitParts(&sweep)
    self.base = base
    removals = sweep.removals
    unreached = workspace.changes
  }
}

/// Takes the rows that were not reached out of the tables.
private struct Sweep<Contents: StorageContents>: StorageVisitor {
  let reach: Reach<Contents>
  let contents: UnsafeMutablePointer<Contents>
  var removals: [EntityLabel] = []

  mutating func table<Table: TableType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Table> & Sendable
  ) {
    let reached = reach.rows(of: Table.Entity.self).ids
    let table = contents.part(at: path)
    let unreached = table.pointee.map(\.entityID).filter { !reached.contains($0) }
    for id in unreached { table.pointee.remove(id) }
    removals += unreached.map(EntityLabel.init)
  }
}

/// Removes the rows that a change set removes, and does nothing else.
private struct RowRemoval<Storage: NormalizedStorageType>: StorageVisitor {
  typealias Contents = Storage.Contents

  let workspace: Workspace<Storage>
  let changes: StorageChangeSet<Storage>

  mutating func table<Table: TableType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Table> & Sendable
  ) {
    let table = workspace.contents.part(at: path)
    for entity in changes.changes(of: Table.Entity.self).removed {
      guard let removed = table.pointee.remove(entity.entityID) else { continue }
      workspace.rowChanged(from: removed, to: nil)
    }
  }
}
