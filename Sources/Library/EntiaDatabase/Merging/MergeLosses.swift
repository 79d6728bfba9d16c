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
      case .cascade:
        cascade.removals.append(
          EntityRemovals<Relationship.Holder, Target>(
            ids: holders, cause: target, relationship: name, areHolders: true))
      case .nullify: cascade.nullification(name, path).add(target, heldBy: holders)
      case .deny:
        cascade.deniedDeletions.append(
          Denial<Storage, Relationship>(name: name, path: path, target: target))
      case .keepDangling: break
      }
    }
  }
}
