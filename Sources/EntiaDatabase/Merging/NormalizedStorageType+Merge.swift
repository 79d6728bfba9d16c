import EntiaCollections

extension NormalizedStorageType {
  /// Returns this version with what another one changed since a version that both come from.
  ///
  /// Rows that only one side changed are taken from it; rows that both changed in the same way are
  /// no conflict. What one side removed while the other came to name it is settled by the delete
  /// rules, after conflicts are: a row that is kept may still go with what it names. Rules and
  /// `finalizeTransaction` judge the result as they judge a batch on this version.
  ///
  /// Held IDs that either side removed are removed, and those that either side inserted are held, as
  /// long as their entities are there.
  ///
  /// In an ordered table, a row that theirs inserted or moved is placed beside the nearest rows that
  /// neither side moved, inserted or removed. Of rows that both sides placed between the same two
  /// such rows, mine come first; a row that both moved is placed as theirs has it. So are held IDs in
  /// an order. Merging both ways gives the same where the sides do not place rows between the same two.
  ///
  /// `verify()` reports nothing for the result that it reports for neither side, `keepDangling` aside.
  ///
  /// - Parameters:
  ///   - theirs: The other version.
  ///   - base: The version that both come from.
  ///   - merge: What is done about rows that both changed, each in its own way.
  /// - Returns: The merged database, and the conflicts with what became of them.
  /// - Throws: `MergeError` with every conflict that nothing resolves; what a batch throws.
  /// - Complexity: O(changes of both · log *n*) for versions of one history.
  public func merging(
    _ theirs: Self, base: Self, by merge: ThreeWayMerge<Self> = ThreeWayMerge()
  ) throws -> MergeResult<Self> {
    var context = beginBatchUpdates()
    let changes = theirs.changes(since: base)
    let mine = self.changes(since: base)
    var rows = RowMerge(
      workspace: context.workspace, theirs: theirs.snapshot, changes: changes, mine: mine,
      merge: merge)
    Contents.visitParts(&rows)
    let refused = rows.conflicts.filter { $0.outcome == .refused }
    guard refused.isEmpty else { throw MergeError(conflicts: refused) }
    var losses = MergeLosses(
      workspace: context.workspace, mine: snapshot, theirs: theirs.snapshot,
      changes: (mine, changes))
    Contents.visitParts(&losses)
    losses.finish()
    var held = HeldIDsMerge(workspace: context.workspace, changes: changes)
    Contents.visitParts(&held)
    var merged = self
    try merged.finish(&context)
    return MergeResult(storage: merged, conflicts: rows.conflicts)
  }
}

/// Brings rows together, table by table, without following any rule.
private struct RowMerge<Storage: NormalizedStorageType>: StorageVisitor {
  typealias Contents = Storage.Contents

  let workspace: Workspace<Storage>
  let theirs: Snapshot<Contents>
  let changes: StorageChangeSet<Storage>
  let mine: StorageChangeSet<Storage>
  let merge: ThreeWayMerge<Storage>
  var conflicts: [RowConflict] = []

  mutating func table<Table: TableType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Table> & Sendable
  ) {
    let table = workspace.contents.part(at: path)
    let changes = changes.changes(of: Table.Entity.self)
    var placed = Set(changes.order.placed.map(\.entityID))
    func step(_ id: Table.Entity.EntityID, _ base: Table.Entity?, _ theirs: Table.Entity?) {
      let isMissing = !table.pointee.contains(id)
      let outcome = self.step(table, id, base, theirs)
      // A row that a resolution brings back has lost its place; one that mine keeps has one.
      if isMissing { placed.insert(id) } else if outcome == .mine { placed.remove(id) }
    }
    for entity in changes.removed { step(entity.entityID, entity, nil) }
    for update in changes.updated { step(update.entityID, update.old, update.new) }
    for entity in changes.inserted { step(entity.entityID, nil, entity) }
    let rows = TablePointer<Table.Entity>(
      UnsafeMutableRawPointer(table), isOrdered: Table.isOrdered)
    if case .ordered(let rows) = rows,
      case .ordered(let theirs)? = theirs.table(of: Table.Entity.self)
    {
      let moved = mine.changes(of: Table.Entity.self).order.taken.map(\.entityID)
      rows.pointee.rows.place(placed, asIn: theirs.rows, moved: Set(moved))
    }
  }

  /// Brings one row together.
  /// - Returns: What became of it, if both sides changed it.
  private mutating func step<Table: TableType>(
    _ table: UnsafeMutablePointer<Table>, _ id: Table.Entity.EntityID,
    _ base: Table.Entity?, _ theirs: Table.Entity?
  ) -> RowConflict.Outcome? {
    let mine = table.pointee.find(by: id)
    if haveSameValue(mine, theirs) { return nil }
    if haveSameValue(mine, base) {
      store(theirs, over: mine, id, in: table)
      return nil
    }
    let rule = merge.rule(of: Table.Entity.self)
    if let base, let mine, let theirs, let merged = rule.merged(base, mine, theirs) {
      store(merged, over: mine, id, in: table)
      return nil
    }
    let conflict = MergeConflict(entityID: id, base: base, mine: mine, theirs: theirs)
    let outcome: RowConflict.Outcome
    switch merge.resolution(of: conflict, rule) {
    case .mine: outcome = .mine
    case .theirs:
      outcome = .theirs
      store(theirs, over: mine, id, in: table)
    case .entity(let entity) where entity.entityID == id:
      outcome = .other
      store(entity, over: mine, id, in: table)
    case .entity, .refuse: outcome = .refused
    }
    conflicts.append(RowConflict(conflict, outcome: outcome))
    return outcome
  }

  private func store<Table: TableType>(
    _ new: Table.Entity?, over old: Table.Entity?, _ id: Table.Entity.EntityID,
    in table: UnsafeMutablePointer<Table>
  ) {
    if let new {
      table.pointee.insert(new)
    } else {
      table.pointee.remove(id)
    }
    workspace.rowChanged(from: old, to: new)
  }
}
