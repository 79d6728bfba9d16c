import EntiaCollections

/// The effects of removing rows.
@usableFromInline
final class Cascade<Storage: NormalizedStorageType> {
  let transaction: BatchTransaction<Storage>
  /// The record of the effects and their causes, if one is required.
  let record: DeletionRecord?
  /// The removals that rules require, of entities of any type.
  private var removals: [(Cascade) -> Void] = []
  /// The keys that lose references, by the name of their relationship.
  private var nullifications: [String: AnyObject] = [:]
  /// For each of `nullifications`, a closure that nullifies the keys.
  private var nullifying: [(Cascade) -> Void] = []
  /// The checks for the rule `deny` and for missing entities, which run at the end of the cascade.
  /// Each check notes a denial if affected holders of one entity remain.
  private var denials: [(BatchTransaction<Storage>) -> Void] = []
  /// In a merge, both sides. A reference that dangles on one side was accepted there, and neither
  /// its holder nor its target is affected if the merge removes the other. Empty in other batches,
  /// in which a removed entity was there, so that no reference to it dangled.
  private let sides: [Snapshot<Storage.Contents>]
  /// In an undo, the version before the undo, which lacks the restored rows; `nil` for other
  /// batches. A restored row does not deny the removal of an entity, but is removed again.
  private let restoredOver: Snapshot<Storage.Contents>?
  /// The rows that an undo removes by delete rules, in the order of their removal.
  private(set) var lostRows: [LostRow] = []

  init(
    transaction: BatchTransaction<Storage>, record: DeletionRecord?,
    merging sides: [Snapshot<Storage.Contents>] = [], isUndo: Bool = false
  ) {
    self.transaction = transaction
    self.record = record
    self.sides = sides
    restoredOver = isUndo ? sides.first : nil
  }

  /// Queues the effects that the rules require for a removed row, and removes the row from the
  /// relationships and indexes.
  func addEffects<Entity: EntityType>(ofRemoving entity: Entity) {
    var rules = RemovalRules(transaction: transaction, removed: entity, cascade: self)
    Storage.Contents.visitParts(&rules)
    transaction.rowChanged(from: entity, to: nil)
  }

  /// Queues the effects on the holders of a removed entity.
  @usableFromInline
  func targetRemoved<Relationship: RelationshipType>(
    _ id: Relationship.Target.EntityID, _ name: String,
    _ path: PartPath<Storage.Contents, Relationship>
  ) {
    let rule = transaction.contents.part(at: path).pointee.onDelete
    if rule == .keepDangling { return }
    apply(rule, to: affectedHolders(of: id, path), of: id, name, path)
  }

  /// Returns the holders of a removed entity whose references begin to dangle by its removal.
  func affectedHolders<Relationship: RelationshipType>(
    of target: Relationship.Target.EntityID, _ path: PartPath<Storage.Contents, Relationship>
  ) -> [Relationship.Holder.EntityID] {
    let holders = transaction.contents.part(at: path).pointee.holderIDs(of: target)
    if sides.isEmpty { return holders }
    return holders.filter { !dangledBefore($0, target, path) }
  }

  /// Whether a reference dangles on a side of the merge.
  func dangledBefore<Relationship: RelationshipType>(
    _ holder: Relationship.Holder.EntityID, _ target: Relationship.Target.EntityID,
    _ path: PartPath<Storage.Contents, Relationship>
  ) -> Bool { sides.contains { $0.dangles(holder, target, path) } }

  /// Queues the effects of a delete rule on some holders of a removed entity. A restored holder
  /// denies no removal.
  func apply<Relationship: RelationshipType>(
    _ rule: NullableDeleteRule, to holders: [Relationship.Holder.EntityID],
    of target: Relationship.Target.EntityID, _ name: String,
    _ path: PartPath<Storage.Contents, Relationship>
  ) {
    if holders.isEmpty { return }
    switch rule {
    case .cascade: remove(holders, because: target, name, areHolders: true)
    case .nullify: nullification(name, path).add(target, heldBy: holders)
    case .deny:
      let restored = holders.filter { isRestored($0) }
      remove(restored, because: target, name, areHolders: true)
      deny(target, heldBy: holders.filter { !isRestored($0) }, name, path)
    case .keepDangling: break
    }
  }

  /// Queues the removal of the entities that a removed holder references.
  @usableFromInline
  func holderRemoved<Relationship: RelationshipType>(
    _ holder: Relationship.Holder, _ name: String,
    _ path: PartPath<Storage.Contents, Relationship>
  ) {
    var targets = transaction.contents.part(at: path).pointee.targetIDs(of: holder)
    // A restored row that is removed again removes only rows that were restored with it.
    if isRestored(holder.entityID) { targets = targets.filter { isRestored($0) } }
    if !sides.isEmpty { targets.removeAll { dangledBefore(holder.entityID, $0, path) } }
    remove(targets, because: holder.entityID, name, areHolders: false)
  }

  /// Queues the removal of entities that a relationship connects with a removed one.
  /// - Parameter areHolders: Whether the entities are removed because they reference the removed
  ///   one. Otherwise, the removed one references them.
  func remove<Removed: EntityType, Cause: EntityType>(
    _ ids: [EntityIdentifier<Removed>], because cause: EntityIdentifier<Cause>, _ name: String,
    areHolders: Bool
  ) {
    if ids.isEmpty { return }
    removals.append { cascade in
      guard let table = cascade.transaction.contents.table(of: Removed.self) else { return }
      for id in ids {
        guard let removed = table.remove(id) else {
          // The removal would have an effect if the edit were repeated on a version with the row.
          if cascade.transaction.isNoting { cascade.transaction.noteWrite(id) }
          continue
        }
        if cascade.restoredOver != nil {
          cascade.lostRows.append(
            LostRow(
              row: EntityLabel(id), relationship: name, isHolder: areHolders,
              isRestored: cascade.isRestored(id)))
        }
        cascade.record?.removed(
          id,
          areHolders
            ? .references(EntityLabel(cause), relationship: name)
            : .isReferenced(by: EntityLabel(cause), relationship: name))
        cascade.addEffects(ofRemoving: removed)
      }
    }
  }

  /// Whether a row is one that an undo restores.
  private func isRestored<Entity: EntityType>(_ id: EntityIdentifier<Entity>) -> Bool {
    restoredOver.map { $0.find(id) == nil } ?? false
  }

  /// Queues the check whether some holders still reference an entity, which refuses the batch.
  /// - Parameter wasRemoved: Whether the entity was removed. Otherwise, the holders began to
  ///   reference a missing entity.
  func deny<Relationship: RelationshipType>(
    _ id: Relationship.Target.EntityID, heldBy holders: [Relationship.Holder.EntityID],
    _ name: String, _ path: PartPath<Storage.Contents, Relationship>, wasRemoved: Bool = true
  ) {
    denials.append { transaction in
      let relationship = transaction.contents.part(at: path)
      let remaining = holders.filter { relationship.pointee.isReferenced(id, by: $0) }
      if remaining.isEmpty { return }
      transaction.noteDenial(of: id, heldBy: remaining, by: name, path, wasRemoved: wasRemoved)
    }
  }

  /// Returns the nullification of the keys of a relationship.
  func nullification<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Storage.Contents, Relationship>
  ) -> Nullification<Storage, Relationship> {
    if let known = nullifications[name] as? Nullification<Storage, Relationship> {
      return known
    }
    let fresh = Nullification<Storage, Relationship>(name: name, path: path)
    nullifications[name] = fresh
    nullifying.append { fresh.perform(in: $0.transaction, $0.record) }
    return fresh
  }

  /// Applies the queued effects, and those that they cause in turn.
  @usableFromInline
  func finish() {
    var next = 0
    while next < removals.count {
      removals[next](self)
      next += 1
    }
    for nullify in nullifying { nullify(self) }
    // The denials are last, because holders that were removed in this cascade deny nothing. A key
    // that is written later in the batch denies nothing either, but dangles.
    for denial in denials { denial(transaction) }
  }
}

/// A row that an undo removes by a delete rule.
struct LostRow {
  let row: EntityLabel
  let relationship: String
  /// Whether the row references a removed entity. Otherwise, a removed entity references the row.
  let isHolder: Bool
  /// Whether the undo restored the row before it was removed again.
  let isRestored: Bool
}

/// Keys of one relationship that lose their references to removed entities.
final class Nullification<Storage: NormalizedStorageType, Relationship: RelationshipType> {
  let name: String
  let path: PartPath<Storage.Contents, Relationship>
  /// The removed targets of each holder, in the order of their removal.
  var removedTargets: [Relationship.Holder.EntityID: [Relationship.Target.EntityID]] = [:]
  var holders: [Relationship.Holder.EntityID] = []

  init(
    name: String, path: PartPath<Storage.Contents, Relationship>
  ) {
    self.name = name
    self.path = path
  }

  func add(_ target: Relationship.Target.EntityID, heldBy ids: [Relationship.Holder.EntityID]) {
    for id in ids {
      if removedTargets[id] == nil { holders.append(id) }
      removedTargets[id, default: []].append(target)
    }
  }

  func perform(in transaction: BatchTransaction<Storage>, _ record: DeletionRecord?) {
    let relationship = transaction.contents.part(at: path)
    guard let table = transaction.contents.table(of: Relationship.Holder.self) else { return }
    for id in holders {
      // A holder may have been removed too.
      guard let targets = removedTargets[id], let old = table.find(by: id) else { continue }
      var new = old
      relationship.pointee.nullify(Set(targets), in: &new)
      guard !haveSameValue(new, old) else { continue }
      table.replace(new)
      transaction.rowChanged(from: old, to: new)
      record?.nullified(id, name, targets)
    }
  }
}
