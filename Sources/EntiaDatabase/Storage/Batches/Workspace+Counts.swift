extension Workspace {
  /// Returns the changed holders that reference fewer or more entities than allowed.
  /// - Complexity: O(changes · log *n*) for each relationship that has limits.
  func countViolations() -> [BatchViolation] {
    var judge = CountJudge(workspace: self)
    Storage.Contents.visitParts(&judge)
    return judge.violations
  }
}

private struct CountJudge<Storage: NormalizedStorageType>: StorageVisitor {
  typealias Contents = Storage.Contents

  let workspace: Workspace<Storage>
  var violations: [BatchViolation] = []

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Relationship> & Sendable
  ) {
    let relationship = workspace.contents.part(at: path)
    let limits = relationship.pointee.countLimits
    guard limits != .any else { return }
    let changes = HolderChanges<Storage, Relationship.Holder>(in: workspace)
    for holder in changes.result.inserted + changes.result.updated.map(\.new) {
      let count = relationship.pointee.targetIDs(of: holder).count
      if limits.allow(count) { continue }
      violations.append(
        .wrongCount(
          EntityLabel(holder.entityID), relationship: name, count: count, limits: limits))
    }
  }
}

/// The changes of the batch so far to the rows of one entity type.
private struct HolderChanges<Storage: NormalizedStorageType, Holder: EntityType>: StorageVisitor {
  typealias Contents = Storage.Contents

  let workspace: Workspace<Storage>
  var result = TableChanges<Holder>()

  init(in workspace: Workspace<Storage>) {
    self.workspace = workspace
    Contents.visitParts(&self)
  }

  mutating func table<Table: TableType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Table> & Sendable
  ) {
    guard Table.Entity.self == Holder.self else { return }
    let new = workspace.contents.part(at: path)
    let old = workspace.base.box.place.part(at: path)
    if new.pointee.isIdentical(to: old.pointee) { return }
    result = recast(new.pointee.changes(since: old.pointee), as: TableChanges<Holder>.self)
  }
}
