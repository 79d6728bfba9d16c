import EntiaCollections

extension NormalizedStorageType {
  /// Returns this version with what another one changed since a version that both come from.
  ///
  /// Rows that only one side changed are taken from it; rows that both changed in the same way are
  /// no conflict. What one side removed while the other came to name it is settled by the delete
  /// rules, after conflicts are: a row that is kept may still go with what it names. Rules and
  /// `finalizeTransaction` judge the result as they judge a batch on this version.
  ///
  /// Of IDs that the user holds, those go that either side let go, and those come that either side
  /// put there.
  ///
  /// - Parameters:
  ///   - theirs: the other version.
  ///   - base: the version that both come from.
  ///   - merge: what is done about rows that both changed, each in its own way.
  /// - Returns: the merged database, and the conflicts with what became of them. In an ordered table
  ///   the moves of both are done, theirs last.
  /// - Throws: `MergeError` with every conflict that nothing resolves; what a batch throws.
  /// - Complexity: O(changes of both · log *n*) for versions of one history.
  public func merging(
    _ theirs: Self, base: Self, by merge: ThreeWayMerge<Self> = ThreeWayMerge()
  ) throws -> MergeResult<Self> {
    var context = beginBatchUpdates()
    let changes = theirs.changes(since: base)
    var rows = RowMerge(workspace: context.workspace, changes: changes, merge: merge)
    Contents.visitParts(&rows)
    let refused = rows.conflicts.filter { $0.outcome == .refused }
    guard refused.isEmpty else { throw MergeError(conflicts: refused) }
    var losses = MergeLosses(
      workspace: context.workspace, mine: snapshot, theirs: theirs.snapshot,
      changes: (self.changes(since: base), changes))
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
  let changes: StorageChangeSet<Storage>
  let merge: ThreeWayMerge<Storage>
  var conflicts: [RowConflict] = []

  mutating func table<Table: TableType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Table> & Sendable
  ) {
    let table = workspace.contents.part(at: path)
    let changes = changes.changes(of: Table.Entity.self)
    for entity in changes.removed { step(table, entity.entityID, entity, nil) }
    for update in changes.updated { step(table, update.entityID, update.old, update.new) }
    for entity in changes.inserted { step(table, entity.entityID, nil, entity) }
    table.pointee.arrange(changes.order)
  }

  private mutating func step<Table: TableType>(
    _ table: UnsafeMutablePointer<Table>, _ id: Table.Entity.EntityID,
    _ base: Table.Entity?, _ theirs: Table.Entity?
  ) {
    let mine = table.pointee.find(by: id)
    if haveSameValue(mine, theirs) { return }
    if haveSameValue(mine, base) {
      store(theirs, over: mine, id, in: table)
      return
    }
    let rule = merge.rule(of: Table.Entity.self)
    if let base, let mine, let theirs, let merged = rule.merged(base, mine, theirs) {
      store(merged, over: mine, id, in: table)
      return
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
