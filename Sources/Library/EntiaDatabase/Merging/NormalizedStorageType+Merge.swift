import EntiaCollections

extension NormalizedStorageType {
  /// Returns this version with the changes that another version has made since a common version.
  ///
  /// A row that only one side changed is taken from that side. A row that both sides changed in the
  /// same way is no conflict. After the conflicts are resolved, a reference that dangles in the
  /// result, but on neither side, follows its delete rule if a side removed the entity, and is
  /// refused otherwise. The delete rules may also remove a row that a resolution kept. Rules and
  /// `finalizeTransaction` check the result as they check a batch on this version.
  ///
  /// Held IDs that either side removed are removed. Held IDs that either side inserted are held if
  /// their entities exist. If both sides received a row, `Indexes.Age` has the later time. If both
  /// sides received a page of an answer, `Indexes.Responses` has the page that was received later.
  /// If neither side received a page again, the IDs that either side removed from the page are
  /// removed, and the IDs that either side restored are restored.
  ///
  /// In an ordered table, rows that `theirs` inserted or moved are placed next to their nearest
  /// fixed neighbors: rows that neither side moved, inserted or removed. If both sides placed rows
  /// between the same two fixed neighbors, the rows of this version come first. A row that both
  /// sides moved is placed as in `theirs`. If a resolution keeps the row of this version, the row
  /// keeps its position in this version. Ordered held IDs are placed in the same way. Merging in
  /// both directions gives the same result, except if both sides move the same row or place rows
  /// between the same two rows.
  ///
  /// `verify()` reports an issue of the result only if it also reports the issue for one of the
  /// sides. Issues of `keepDangling` relationships are the exception.
  ///
  /// - Parameters:
  ///   - theirs: The other version.
  ///   - base: The common version.
  ///   - merge: The resolution of rows that both sides changed in different ways.
  /// - Returns: The merged database, and the conflicts with their outcomes.
  /// - Throws: `MergeError` with every unresolved conflict, and the errors that a batch throws.
  /// - Complexity: O(changes of both · log *n*) for versions of one history.
  @inlinable
  public func merging(
    _ theirs: Self, base: Self, by merge: ThreeWayMerge<Self> = ThreeWayMerge()
  ) throws -> MergeResult<Self> {
    // This code and the loop over the updated rows are inlined into the module where the types are
    // known.
    var context = beginBatchUpdates()
    var rows = RowMerge(
      transaction: context.transaction, theirs: theirs.snapshot,
      changes: theirs.changes(since: base), mine: changes(since: base), merge: merge)
    Contents.visitParts(&rows)
    return try merged(rows, with: theirs, base: base, &context)
  }

  /// Ends a merge after the rows have been written. Throws if a conflict was refused. Otherwise,
  /// applies the delete rules, merges the held IDs and the times and answers of received rows, and
  /// checks the result.
  @usableFromInline
  func merged(
    _ rows: RowMerge<Self>, with theirs: Self, base: Self,
    _ context: inout BatchContext<Self>
  ) throws -> MergeResult<Self> {
    let refused = rows.conflicts.filter { $0.outcome == .refused }
    guard refused.isEmpty else { throw MergeError(conflicts: refused) }
    // Every row is noted as written. The result depends on every row that differs between the
    // versions, even if the merge leaves the row unchanged.
    context.transaction.noteAllWrites()
    var losses = MergeLosses(rows)
    Contents.visitParts(&losses)
    guard losses.conflicts.isEmpty else { throw ChangeSetError(conflicts: losses.conflicts) }
    losses.finish()
    var held = HeldIDsMerge(transaction: context.transaction, changes: rows.changes)
    Contents.visitParts(&held)
    if snapshot.box.layout.hasFreshness {
      var freshness = FreshnessMerge(
        transaction: context.transaction, theirs: theirs.snapshot, base: base.snapshot,
        mayEvict: (mine: true, theirs: !rows.merge.isUndo))
      Contents.visitParts(&freshness)
    }
    var merged = self
    try merged.finish(&context)
    // A delete rule may have removed a row that a conflict kept.
    let lost = losses.rowConflicts
    let entities = Set(lost.map(\.entity))
    let conflicts = rows.conflicts.filter { !entities.contains($0.entity) } + lost
    return MergeResult(storage: merged, conflicts: conflicts)
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
    let lost = ids.pointee.differences(from: before).removed
    ids.pointee = changes.applied(to: ids.pointee, before: before)
    let rows = transaction.contents.table(of: IDs.Entity.self)
    for id in lost + changes.inserted where rows?.contains(id) != true { ids.pointee.remove(id) }
  }
}

/// Applies the delete rules to each reference that dangles after a merge, but on neither side, if a
/// side removed the entity. Any other such reference is a violation if its holder remains: the row
/// combines the changes of both sides, or a resolution returned it. `keepDangling` permits every
/// reference.
///
/// An entity in `withdrawn` is missing because the batch that inserted it was rejected, and not
/// because a side removed it. A new reference to the entity is therefore a conflict, and the delete
/// rule is not applied.
struct MergeLosses<Storage: NormalizedStorageType>: StorageVisitor {
  typealias Contents = Storage.Contents

  private let rows: RowMerge<Storage>
  private let cascade: Cascade<Storage>
  /// The references to withdrawn entities.
  private(set) var conflicts: [ChangeSetConflict] = []

  init(_ rows: RowMerge<Storage>) {
    self.rows = rows
    cascade = Cascade(
      transaction: rows.transaction, record: nil, merging: [rows.transaction.base, rows.theirs],
      isUndo: rows.merge.isUndo)
  }

  /// The rows that an undo removes or does not restore, because of delete rules.
  var rowConflicts: [RowConflict] { cascade.lostRows.map { RowConflict($0) } }

  /// Carries out the collected effects of the delete rules.
  func finish() { cascade.finish() }

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {
    typealias Target = Relationship.Target
    let contents = rows.transaction.contents
    let relationship = contents.part(at: path)
    let rule = relationship.pointee.onDelete
    if rule == .keepDangling { return }
    let table = contents.table(of: Target.self)
    let removed =
      rows.mine.changes(of: Target.self).removed + rows.changes.changes(of: Target.self).removed
    var seen: Set<Target.EntityID> = []
    for target in removed.lazy.map({ $0.entityID })
    where table?.contains(target) != true && seen.insert(target).inserted {
      let holders = cascade.affectedHolders(of: target, path)
      if rows.merge.withdrawn.contains(target) {
        conflicts += holders.map {
          ChangeSetConflict(
            entity: EntityLabel($0), reason: .missingTarget, part: name,
            target: EntityLabel(target))
        }
      } else {
        cascade.apply(rule, to: holders, of: target, name, path)
      }
    }
    // The end of the batch checks required references.
    if relationship.pointee.isRequired { return }
    let holders = contents.table(of: Relationship.Holder.self)
    for id in rows.combinedRows(of: Relationship.Holder.self) {
      for target in holders?.find(by: id).map(relationship.pointee.targetIDs) ?? []
      where table?.contains(target) != true && !seen.contains(target)
        && !cascade.dangledBefore(id, target, path)
      {
        cascade.deny(target, heldBy: [id], name, path, wasRemoved: false)
      }
    }
  }
}
