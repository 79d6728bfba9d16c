/// Follows the delete rules for what one side of a merge removed while the other came to name it.
///
/// A key that leads nowhere on one side already was let pass there, and is let pass here.
struct MergeLosses<Storage: NormalizedStorageType>: StorageVisitor {
  typealias Contents = Storage.Contents

  private let workspace: Workspace<Storage>
  private let mine: Snapshot<Contents>
  private let theirs: Snapshot<Contents>
  private let changes: (StorageChangeSet<Storage>, StorageChangeSet<Storage>)
  private let cascade: Cascade<Storage>

  init(
    workspace: Workspace<Storage>, mine: Snapshot<Contents>, theirs: Snapshot<Contents>,
    changes: (StorageChangeSet<Storage>, StorageChangeSet<Storage>)
  ) {
    self.workspace = workspace
    self.mine = mine
    self.theirs = theirs
    self.changes = changes
    cascade = Cascade(workspace: workspace, record: nil)
  }

  /// Does what the rules ask for.
  func finish() { cascade.finish() }

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Relationship> & Sendable
  ) {
    typealias Target = Relationship.Target
    let table = workspace.contents.table(of: Target.self)
    let removed =
      changes.0.changes(of: Target.self).removed + changes.1.changes(of: Target.self).removed
    var seen: Set<Target.EntityID> = []
    for target in removed.map(\.entityID)
    where table?.contains(target) != true && seen.insert(target).inserted {
      let relationship = workspace.contents.part(at: path)
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
        cascade.denials.append(
          Denial<Storage, Relationship>(name: name, path: path, target: target))
      case .keepDangling: break
      }
    }
  }
}
