import EntiaCollections

extension NormalizedStorageType {
  /// Applies a change set atomically.
  ///
  /// Applied to its older version, a change set produces its newer version, including the order of
  /// ordered tables and the held IDs. On another version:
  ///
  /// - A row that already has its new value is left unchanged. A row that has neither its old nor
  ///   its new value is a conflict. Rows that the change set does not contain are kept.
  /// - A row that is inserted or moved in an ordered table is placed next to its neighbors in the
  ///   new version of the change set: directly before the next row, or directly after the previous
  ///   one if the next one is missing. If both are missing, the row is placed at its position in
  ///   the new version of the change set, or last if the table is shorter. Held IDs are inserted,
  ///   removed and moved one by one, in the same way.
  /// - Delete rules are not applied again, because the change set contains their effects. A key
  ///   that would dangle is a conflict. The exceptions are keys that also dangle in this version or
  ///   in the newer version of the change set, and keys of `keepDangling` relationships. A held ID
  ///   without its entity is a conflict, too.
  /// - Constraints and counts are checked as at the end of a batch.
  /// - Rows of a decoded change set keep the transient members that they have in this version.
  ///
  /// As a result, `verify()` reports no new issues, except issues of `keepDangling` relationships.
  /// An issue is not new if `verify()` also reports the issue for this version before the change,
  /// or for the newer version of the change set.
  ///
  /// `finalizeTransaction` is called and may refuse the change set. The writes of
  /// `finalizeTransaction` are discarded, because the change set already contains them.
  ///
  /// - Parameter changes: The changes.
  /// - Throws: `ChangeSetError` with every conflict, and the errors that a batch throws. The
  ///   database is then unchanged.
  /// - Complexity: O(changes · log *n*).
  public mutating func apply(_ changes: ChangeSet) throws {
    var changes = changes
    if changes.isDecoded {
      var types = TransientTypes()
      changes = changes.keepingTransientMembers(of: self, types: &types)
    }
    var context = beginBatchUpdates()
    var rows = RowApplication(transaction: context.transaction, changes: changes)
    Contents.visitParts(&rows)
    guard rows.conflicts.isEmpty else { throw ChangeSetError(conflicts: rows.conflicts) }
    var references = ReferenceApplication(transaction: context.transaction, changes: changes)
    Contents.visitParts(&references)
    guard references.conflicts.isEmpty else {
      throw ChangeSetError(conflicts: references.conflicts)
    }
    let violations =
      context.transaction.countViolations() + context.transaction.constraintViolations()
      + context.transaction.keptViolations()
    guard violations.isEmpty else { throw BatchError.refused(violations) }
    let version = context.transaction.version()
    try finalizeTransaction(&context)
    snapshot = version
  }
}

/// Writes the rows of a change set, table by table.
private struct RowApplication<Storage: NormalizedStorageType>: StorageVisitor {
  let transaction: BatchTransaction<Storage>
  let changes: StorageChangeSet<Storage>
  var conflicts: [ChangeSetConflict] = []

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Storage.Contents, Table>) {
    let table = transaction.contents.part(at: path)
    let changes = changes.changes(of: Table.Entity.self)
    if !changes.order.isEmpty { transaction.noteOrder(of: Table.Entity.self) }
    for entity in changes.removed { step(table, entity.entityID, from: entity, to: nil) }
    for update in changes.updated { step(table, update.entityID, from: update.old, to: update.new) }
    for entity in changes.inserted { step(table, entity.entityID, from: nil, to: entity) }
    if conflicts.isEmpty { table.pointee.arrange(changes.order) }
  }

  private mutating func step<Table: TableType>(
    _ table: UnsafeMutablePointer<Table>, _ id: Table.Entity.EntityID,
    from old: Table.Entity?, to new: Table.Entity?
  ) {
    transaction.noteWrite(id)
    let present = table.pointee.find(by: id)
    if haveSameValue(present, new) { return }
    guard haveSameValue(present, old) else {
      let reason: ChangeSetConflict.Reason =
        old == nil ? .alreadyThere : present == nil ? .missing : .different
      conflicts.append(ChangeSetConflict(entity: EntityLabel(id), reason: reason))
      return
    }
    if let new {
      if old == nil { transaction.noteInsertion(id) }
      table.pointee.insert(new)
    } else {
      table.pointee.remove(id)
    }
    transaction.rowChanged(from: old, to: new)
  }
}

/// Writes the held IDs of a change set after all rows, and collects the references and held IDs
/// whose entities are missing.
private struct ReferenceApplication<Storage: NormalizedStorageType>: HeldIDsVisitor {
  typealias Contents = Storage.Contents

  let transaction: BatchTransaction<Storage>
  let changes: StorageChangeSet<Storage>
  var conflicts: [ChangeSetConflict] = []

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {
    typealias Reference = DanglingReference<Relationship.Holder, Relationship.Target>
    let relationship = transaction.contents.part(at: path)
    if relationship.pointee.onDelete == .keepDangling { return }
    let holders = changes.changes(of: Relationship.Holder.self)
    let targets = changes.changes(of: Relationship.Target.self)
    if holders.isEmpty && targets.isEmpty { return }
    typealias References = DanglingReferences<Relationship.Holder, Relationship.Target>
    var accepted = (changes.dangling[name] as? References)?.new ?? []
    let present = transaction.contents.table(of: Relationship.Target.self)

    func check(_ holder: Relationship.Holder.EntityID, _ target: Relationship.Target.EntityID) {
      guard accepted.insert(Reference(holder, target)).inserted,
        !transaction.base.dangles(holder, target, path)
      else { return }
      conflicts.append(
        ChangeSetConflict(
          entity: EntityLabel(holder), reason: .missingTarget, part: name,
          target: EntityLabel(target)))
    }
    for holder in holders.written {
      for target in relationship.pointee.targetIDs(of: holder)
      where present?.contains(target) != true { check(holder.entityID, target) }
    }
    for target in targets.removed where relationship.pointee.isReferenced(target.entityID) {
      for holder in relationship.pointee.holderIDs(of: target.entityID) {
        check(holder, target.entityID)
      }
    }
  }

  mutating func heldIDs<IDs: HeldIDs>(_ name: String, _ path: PartPath<Contents, IDs>) {
    guard let changes = changes.heldIDs[name] as? HeldIDsChanges<IDs> else { return }
    let ids = transaction.contents.part(at: path)
    let before = transaction.base.contents[keyPath: path]
    ids.pointee = changes.applied(to: ids.pointee, before: before)
    let rows = transaction.contents.table(of: IDs.Entity.self)
    for id in changes.inserted where ids.pointee.contains(id) && rows?.contains(id) != true {
      conflicts.append(
        ChangeSetConflict(entity: EntityLabel(id), reason: .heldWithoutEntity, part: name))
    }
  }
}

extension Snapshot {
  /// Whether a holder references a target that is missing in this version.
  func dangles<Relationship: RelationshipType>(
    _ holder: Relationship.Holder.EntityID, _ target: Relationship.Target.EntityID,
    _ path: PartPath<Contents, Relationship>
  ) -> Bool {
    if withTable(of: Relationship.Target.self, { $0?.contains(target) == true }) { return false }
    return withRelationship(at: path) { $0.isReferenced(target, by: holder) }
  }
}

/// A row or a held ID that prevents a change set from being applied.
public struct ChangeSetConflict: Hashable, Sendable, CustomStringConvertible {
  /// The kind of the conflict.
  public enum Reason: String, Sendable {
    /// The change set inserts the entity, but another entity has its ID.
    case alreadyThere = "cannot be inserted because its ID is in use"
    /// The change set updates or removes the entity, but it is missing.
    case missing = "cannot be changed because it does not exist"
    /// The change set updates or removes the entity, but the stored row differs from the old row.
    case different = "differs from the row that the change set starts from"
    /// The entity would reference a missing one.
    case missingTarget = "would reference a missing entity"
    /// A part would hold the entity's ID, but the entity is missing.
    case heldWithoutEntity = "cannot be held because it does not exist"
  }

  /// The entity.
  public let entity: EntityLabel
  /// The kind of the conflict.
  public let reason: Reason
  /// The name of the relationship through which the entity would reference a missing one, or of the
  /// index that would hold the entity's ID. It is `nil` if the row itself is in conflict.
  public let part: String?
  /// The missing entity that the entity would reference.
  public let target: EntityLabel?

  init(
    entity: EntityLabel, reason: Reason, part: String? = nil, target: EntityLabel? = nil
  ) {
    self.entity = entity
    self.reason = reason
    self.part = part
    self.target = target
  }

  /// The entity and the reason.
  public var description: String {
    switch (reason, part, target) {
    case (.missingTarget, let part?, let target?):
      "\(entity): \(part) would reference \(target), which does not exist"
    case (.heldWithoutEntity, let part?, _): "\(part) would hold \(entity), which does not exist"
    default: "\(entity) \(reason.rawValue)"
    }
  }
}

/// The reason why a change set was not applied. It lists every row that differs from its expected
/// value. If no row differs, it lists every reference and held ID whose entity would be missing.
public struct ChangeSetError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The conflicts of rows, table by table in the order of declaration. If no row is in conflict,
  /// the list contains the conflicts of references and held IDs, part by part in the order of
  /// declaration.
  public let conflicts: [ChangeSetConflict]

  /// A sentence that names the entities and the reasons.
  public var description: String {
    "the change set cannot be applied: \(conflicts.firstDescriptions)"
  }
}
