import EntiaCollections

/// The effects of removing rows.
final class Cascade<Storage: NormalizedStorageType> {
  let transaction: BatchTransaction<Storage>
  /// The record of the effects and their causes, if one is required.
  let record: DeletionRecord?
  var removals: [any PendingRemovals] = []
  var nullifications: [String: any PendingNullification<Storage>] = [:]
  var nullifiedNames: [String] = []
  var deniedDeletions: [any PossibleDenial<Storage>] = []

  init(transaction: BatchTransaction<Storage>, record: DeletionRecord?) {
    self.transaction = transaction
    self.record = record
  }

  /// Queues the effects that the rules require for a removed row, and removes it from the
  /// relationships.
  func addEffects<Entity: EntityType>(ofRemoving entity: Entity) {
    var rules = RemovalRules(cascade: self, removed: entity)
    Storage.Contents.visitParts(&rules)
    transaction.rowChanged(from: entity, to: nil)
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
    nullifiedNames.append(name)
    return fresh
  }

  func finish() {
    var next = 0
    while next < removals.count {
      removals[next].perform(in: self)
      next += 1
    }
    for name in nullifiedNames { nullifications[name]?.perform(in: transaction, record) }
    // Last, because holders that were removed in the same cascade deny nothing. A key that is
    // written later only dangles.
    for denial in deniedDeletions { denial.note(in: transaction) }
  }
}

/// Applies the rules of every relationship of which a removed row is an end.
private struct RemovalRules<Storage: NormalizedStorageType, Entity: EntityType>: StorageVisitor {
  typealias Contents = Storage.Contents

  let cascade: Cascade<Storage>
  let removed: Entity

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {
    let relationship = cascade.transaction.contents.part(at: path)
    if let id = relationship.pointee.targetID(ofAny: removed) {
      switch relationship.pointee.onDelete {
      case .cascade:
        remove(relationship.pointee.holderIDs(of: id), because: id, name, areHolders: true)
      case .nullify:
        let holders = relationship.pointee.holderIDs(of: id)
        if !holders.isEmpty { cascade.nullification(name, path).add(id, heldBy: holders) }
      case .deny:
        if relationship.pointee.isReferenced(id) {
          cascade.deniedDeletions.append(
            Denial<Storage, Relationship>(name: name, path: path, target: id))
        }
      case .keepDangling:
        break
      }
    }
    if relationship.pointee.onHolderDelete == .cascade,
      let targets = relationship.pointee.targetIDs(ofAny: removed)
    {
      remove(targets, because: removed.entityID, name, areHolders: false)
    }
  }

  private func remove<Removed: EntityType, Cause: EntityType>(
    _ ids: [EntityIdentifier<Removed>], because cause: EntityIdentifier<Cause>, _ name: String,
    areHolders: Bool
  ) {
    if ids.isEmpty { return }
    cascade.removals.append(
      EntityRemovals<Removed, Cause>(
        ids: ids, cause: cause, relationship: name, areHolders: areHolders))
  }
}
