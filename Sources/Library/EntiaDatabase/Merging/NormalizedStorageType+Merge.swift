import EntiaCollections

extension NormalizedStorageType {
  /// Returns this version with the changes of another one since a common version.
  ///
  /// Rows that only one side changed are taken from that side. Rows that both changed in the same
  /// way are no conflict. After the conflicts are resolved, the delete rules are applied to
  /// entities that one side removed while the other added references to them. They may also remove
  /// a row that a resolution kept. Rules and `finalizeTransaction` check the result as they check a
  /// batch on this version.
  ///
  /// Held IDs that either side removed are removed. Those that either side inserted are held if
  /// their entities exist. Of the times at which both sides received a row, the later one is taken,
  /// and so is the later answer to a request.
  ///
  /// In an ordered table, rows that theirs inserted or moved are placed next to the nearest rows
  /// that neither side moved, inserted or removed. If both sides placed rows between the same two
  /// of these, mine are first. A row that both moved is placed as in theirs, unless a resolution
  /// keeps mine with its position. The same holds for ordered held IDs. Merging in both directions
  /// gives the same result unless both sides place rows between the same two rows.
  ///
  /// `verify()` reports only issues for the result that it also reports for one of the sides.
  /// Issues of `keepDangling` relationships are the exception.
  ///
  /// - Parameters:
  ///   - theirs: The other version.
  ///   - base: The common version.
  ///   - merge: The resolution of rows that both sides changed in different ways.
  /// - Returns: The merged database, and the conflicts with their outcomes.
  /// - Throws: `MergeError` with every unresolved conflict, and the errors that a batch throws.
  /// - Complexity: O(changes of both · log *n*) for versions of one history.
  public func merging(
    _ theirs: Self, base: Self, by merge: ThreeWayMerge<Self> = ThreeWayMerge()
  ) throws -> MergeResult<Self> {
    var context = beginBatchUpdates()
    let changes = theirs.changes(since: base)
    let mine = self.changes(since: base)
    var rows = RowMerge(
      transaction: context.transaction, theirs: theirs.snapshot, changes: changes, mine: mine,
      merge: merge)
    Contents.visitParts(&rows)
    let refused = rows.conflicts.filter { $0.outcome == .refused }
    guard refused.isEmpty else { throw MergeError(conflicts: refused) }
    var losses = MergeLosses(
      transaction: context.transaction, mine: snapshot, theirs: theirs.snapshot,
      changes: (mine, changes))
    Contents.visitParts(&losses)
    losses.finish()
    var held = HeldIDsMerge(transaction: context.transaction, changes: changes)
    Contents.visitParts(&held)
    if snapshot.box.layout.hasFreshness {
      var freshness = FreshnessMerge(
        transaction: context.transaction, theirs: theirs.snapshot, base: base.snapshot)
      Contents.visitParts(&freshness)
    }
    var merged = self
    try merged.finish(&context)
    return MergeResult(storage: merged, conflicts: rows.conflicts)
  }
}

/// Merges rows, table by table, without applying delete rules.
private struct RowMerge<Storage: NormalizedStorageType>: StorageVisitor {
  typealias Contents = Storage.Contents

  let transaction: BatchTransaction<Storage>
  let theirs: Snapshot<Contents>
  let changes: StorageChangeSet<Storage>
  let mine: StorageChangeSet<Storage>
  let merge: ThreeWayMerge<Storage>
  var conflicts: [RowConflict] = []

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    let table = transaction.contents.part(at: path)
    let changes = changes.changes(of: Table.Entity.self)
    let rule = merge.rule(of: Table.Entity.self)
    let members = RowMembers<Table.Entity>()
    var placed = Set(changes.order.placed.map(\.entityID))
    var moved = Set(mine.changes(of: Table.Entity.self).order.taken.map(\.entityID))
    func step(_ id: Table.Entity.EntityID, _ base: Table.Entity?, _ theirs: Table.Entity?) {
      let isMissing = !table.pointee.contains(id)
      let keepsMine = self.step(table, (rule, members), id, base, theirs)
      if isMissing {
        // A row that a resolution restores has no place yet.
        placed.insert(id)
      } else if keepsMine, placed.remove(id) != nil {
        // The row keeps its position in mine, so no row of theirs is placed next to it.
        moved.insert(id)
      }
    }
    for entity in changes.removed { step(entity.entityID, entity, nil) }
    for update in merge(changes.updated, (rule, members), in: table) {
      step(update.entityID, update.old, update.new)
    }
    for entity in changes.inserted { step(entity.entityID, nil, entity) }
    let rows = TablePointer<Table.Entity>(
      UnsafeMutableRawPointer(table), isOrdered: Table.isOrdered)
    if case .ordered(let rows) = rows,
      case .ordered(let theirs)? = theirs.table(of: Table.Entity.self)
    {
      rows.pointee.rows.place(placed, asIn: theirs.rows, moved: moved)
    }
  }

  /// Merges updates of rows that mine has too.
  ///
  /// It handles all rows, because calling an unspecialized generic function takes as long as
  /// merging a row.
  /// - Returns: The updates that are not merged: mine does not have the row, or both changed it in
  ///   conflicting ways.
  private func merge<Table: TableType>(
    _ updates: [EntityUpdate<Table.Entity>],
    _ rows: (rule: MergeRule<Table.Entity>, members: RowMembers<Table.Entity>),
    in table: UnsafeMutablePointer<Table>
  ) -> [EntityUpdate<Table.Entity>] {
    var rest: [EntityUpdate<Table.Entity>] = []
    func store(_ new: Table.Entity, over old: Table.Entity) {
      table.pointee.replace(new)
      transaction.rowReplaced(old, by: new)
    }
    for update in updates {
      guard let mine = table.pointee.find(by: update.entityID) else {
        rest.append(update)
        continue
      }
      if haveSameValue(mine, update.new) { continue }
      if haveSameValue(mine, update.old) {
        store(update.new, over: mine)
      } else if let merged = rows.rule.merged(update.old, mine, update.new, rows.members) {
        store(merged, over: mine)
      } else {
        rest.append(update)
      }
    }
    return rest
  }

  /// Merges one row that is not an update of a row of mine without a conflict.
  /// - Returns: Whether a conflict was resolved by keeping the transaction's row.
  private mutating func step<Table: TableType>(
    _ table: UnsafeMutablePointer<Table>,
    _ rows: (rule: MergeRule<Table.Entity>, members: RowMembers<Table.Entity>),
    _ id: Table.Entity.EntityID, _ base: Table.Entity?, _ theirs: Table.Entity?
  ) -> Bool {
    let mine = table.pointee.find(by: id)
    if haveSameValue(mine, theirs) { return false }
    if haveSameValue(mine, base) {
      store(theirs, over: mine, id, in: table)
      return false
    }
    let (first, second) = merge.isReversed ? (theirs, mine) : (mine, theirs)
    let conflict = MergeConflict(entityID: id, base: base, mine: first, theirs: second)
    var outcome = RowConflict.Outcome.refused
    var keepsMine = false
    switch merge.resolution(of: conflict, rows.rule) {
    case .mine:
      outcome = .mine
      keepsMine = !merge.isReversed
      if merge.isReversed { store(theirs, over: mine, id, in: table) }
    case .theirs:
      outcome = .theirs
      keepsMine = merge.isReversed
      if !merge.isReversed { store(theirs, over: mine, id, in: table) }
    case .entity(let entity) where entity.entityID == id:
      outcome = .other
      store(entity, over: mine, id, in: table)
    case .entity, .refuse: break
    }
    conflicts.append(RowConflict(conflict, outcome: outcome, rows.members))
    return keepsMine
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
    transaction.rowChanged(from: old, to: new)
  }
}

/// Merges the held IDs, after the rows have been merged.
struct HeldIDsMerge<Storage: NormalizedStorageType>: HeldIDsVisitor {
  typealias Contents = Storage.Contents

  let transaction: BatchTransaction<Storage>
  let changes: StorageChangeSet<Storage>

  mutating func heldIDs<IDs: HeldIDs>(_ name: String, _ path: PartPath<Contents, IDs>) {
    guard let changes = changes.heldIDs[name] as? HeldIDsChanges<IDs> else { return }
    let ids = transaction.contents.part(at: path)
    let before = transaction.base.contents[keyPath: path]
    ids.pointee = changes.applied(to: ids.pointee, before: before)
    let rows = transaction.contents.table(of: IDs.Entity.self)
    for id in ids.pointee.filter({ rows?.contains($0) != true }) { ids.pointee.remove(id) }
  }
}

/// Applies the delete rules to entities that one side of a merge removed while the other side
/// added references to them.
///
/// A reference that already dangles on one side was accepted there, and is accepted here.
struct MergeLosses<Storage: NormalizedStorageType>: StorageVisitor {
  typealias Contents = Storage.Contents

  private let transaction: BatchTransaction<Storage>
  private let mine: Snapshot<Contents>
  private let theirs: Snapshot<Contents>
  private let changes: (StorageChangeSet<Storage>, StorageChangeSet<Storage>)
  private let cascade: Cascade<Storage>

  init(
    transaction: BatchTransaction<Storage>, mine: Snapshot<Contents>, theirs: Snapshot<Contents>,
    changes: (StorageChangeSet<Storage>, StorageChangeSet<Storage>)
  ) {
    self.transaction = transaction
    self.mine = mine
    self.theirs = theirs
    self.changes = changes
    cascade = Cascade(transaction: transaction, record: nil)
  }

  /// Carries out the effects that the rules require.
  func finish() { cascade.finish() }

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {
    typealias Target = Relationship.Target
    let table = transaction.contents.table(of: Target.self)
    let removed =
      changes.0.changes(of: Target.self).removed + changes.1.changes(of: Target.self).removed
    var seen: Set<Target.EntityID> = []
    for target in removed.map(\.entityID)
    where table?.contains(target) != true && seen.insert(target).inserted {
      let relationship = transaction.contents.part(at: path)
      let holders = relationship.pointee.holderIDs(of: target).filter { holder in
        !mine.dangles(holder, target, path) && !theirs.dangles(holder, target, path)
      }
      if holders.isEmpty { continue }
      switch relationship.pointee.onDelete {
      case .cascade: cascade.remove(holders, because: target, name, areHolders: true)
      case .nullify: cascade.nullification(name, path).add(target, heldBy: holders)
      case .deny: cascade.deny(target, name, path)
      case .keepDangling: break
      }
    }
  }
}
