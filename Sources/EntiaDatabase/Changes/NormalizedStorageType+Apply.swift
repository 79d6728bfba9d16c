import EntiaCollections

extension NormalizedStorageType {
  /// Does what a change set says, all or nothing.
  ///
  /// A row that already is as it would become is left alone. Rows that are placed in an ordered table
  /// go to their positions among whatever rows are there, or last where there are too few. Delete rules, `deny` among them, are not
  /// followed again: the change set has what they did. Constraints are
  /// judged. `finalizeTransaction` may refuse
  /// the change set, but what it writes is not taken over: the change set has that too.
  ///
  /// - Throws: `ChangeSetError` with every row that differs from what the change set starts from, and
  ///   what a batch throws. The database is then as it was.
  /// - Complexity: O(changes · log *n*).
  public mutating func apply(_ changes: ChangeSet) throws {
    var context = beginBatchUpdates()
    var applier = ChangeApplier(workspace: context.workspace, changes: changes)
    Contents.visitParts(&applier)
    guard applier.conflicts.isEmpty else { throw ChangeSetError(conflicts: applier.conflicts) }
    for list in applier.lists { list(context.workspace.contents) }
    let violations = context.workspace.constraintViolations()
    guard violations.isEmpty else { throw BatchError.refused(violations) }
    let made = context.workspace.version()
    try finalizeTransaction(&context)
    snapshot = made
  }
}

private struct ChangeApplier<Storage: NormalizedStorageType>: StorageVisitor {
  let workspace: Workspace<Storage>
  let changes: StorageChangeSet<Storage>
  var conflicts: [ChangeSetConflict] = []
  /// What held IDs become when all rows are what they become.
  var lists: [(UnsafeMutablePointer<Storage.Contents>) -> Void] = []

  mutating func table<Table: TableType>(
    _ name: String, _ path: any WritableKeyPath<Storage.Contents, Table> & Sendable
  ) {
    let table = workspace.contents.part(at: path)
    let changes = changes.changes(of: Table.Entity.self)
    for entity in changes.removed { step(table, entity.entityID, from: entity, to: nil) }
    for update in changes.updated { step(table, update.entityID, from: update.old, to: update.new) }
    for entity in changes.inserted { step(table, entity.entityID, from: nil, to: entity) }
    if conflicts.isEmpty { table.pointee.arrange(changes.order) }
  }

  mutating func index<Index: IndexType>(
    _ name: String, _ path: any WritableKeyPath<Storage.Contents, Index> & Sendable
  ) {
    guard let change = changes.heldIDs[name] else { return }
    let before = workspace.base.contents[keyPath: path]
    // Compared with what it was before rows were removed, which has taken IDs along.
    func step<IDs: HeldIDs>(_ ids: IDs) -> Index? {
      guard let change = change as? HeldIDsChanges<IDs>, ids == change.old || ids == change.new
      else { return nil }
      return change.new as? Index
    }
    if let ids = before as? any HeldIDs, let new = step(ids) {
      lists.append { $0.part(at: path).pointee = new }
    } else {
      conflicts.append(
        ChangeSetConflict(entity: EntityLabel(part: name, of: Index.Entity.self), reason: .otherIDs)
      )
    }
  }

  private mutating func step<Table: TableType>(
    _ table: UnsafeMutablePointer<Table>, _ id: Table.Entity.EntityID,
    from old: Table.Entity?, to new: Table.Entity?
  ) {
    let present = table.pointee.find(by: id)
    if haveSameValue(present, new) { return }
    guard haveSameValue(present, old) else {
      let reason: ChangeSetConflict.Reason =
        old == nil ? .alreadyThere : present == nil ? .missing : .different
      conflicts.append(ChangeSetConflict(entity: EntityLabel(id), reason: reason))
      return
    }
    if let new {
      table.pointee.insert(new)
    } else {
      table.pointee.remove(id)
    }
    workspace.rowChanged(from: old, to: new)
  }
}
