extension BatchTransaction {
  /// Returns the violations of count limits, at both ends of each relationship.
  ///
  /// Counts the references of changed holders. Also counts the holders of entities that were
  /// inserted or whose holders changed.
  /// - Complexity: O(changes · log *n*) for each relationship that has limits.
  func countViolations() -> [BatchViolation] {
    var validator = CountValidator(transaction: self)
    Storage.Contents.visitParts(&validator)
    return validator.violations
  }
}

private struct CountValidator<Storage: NormalizedStorageType>: StorageVisitor {
  typealias Contents = Storage.Contents

  let transaction: BatchTransaction<Storage>
  var violations: [BatchViolation] = []

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {
    let relationship = transaction.contents.part(at: path)
    let limitsHolders = relationship.pointee.holderLimits != .any
    guard limitsHolders || relationship.pointee.countLimits != .any else { return }
    let changes = EntityRowChanges<Storage, Relationship.Holder>(in: transaction).result
    if limitsHolders {
      violations += touchedTargets(of: relationship.pointee, by: changes).compactMap {
        relationship.pointee.holderCountViolation(name, by: $0)
      }
    }
    guard relationship.pointee.countLimits != .any else { return }
    violations += changes.written.compactMap { relationship.pointee.countViolation(name, by: $0) }
  }

  /// Returns the existing entities that the batch inserted or whose holders may have changed.
  private func touchedTargets<Relationship: RelationshipType>(
    of relationship: Relationship, by changes: TableChanges<Relationship.Holder>
  ) -> [Relationship.Target.EntityID] {
    var touched = EntityRowChanges<Storage, Relationship.Target>(in: transaction).result.inserted
      .map { $0.entityID }
    for holder in changes.inserted { touched += relationship.targetIDs(of: holder) }
    for update in changes.updated {
      let (old, new) = (
        relationship.targetIDs(of: update.old), relationship.targetIDs(of: update.new)
      )
      if old != new { touched += old + new }
    }
    for holder in changes.removed { touched += relationship.targetIDs(of: holder) }
    let rows = transaction.contents.table(of: Relationship.Target.self)
    var seen: Set<Relationship.Target.EntityID> = []
    return touched.filter { rows?.contains($0) == true && seen.insert($0).inserted }
  }
}

/// The changes of the batch so far to the rows of one entity type.
private struct EntityRowChanges<Storage: NormalizedStorageType, Entity: EntityType>: StorageVisitor
{
  typealias Contents = Storage.Contents

  let transaction: BatchTransaction<Storage>
  var result = TableChanges<Entity>()

  init(in transaction: BatchTransaction<Storage>) {
    self.transaction = transaction
    Contents.visitParts(&self)
  }

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    guard Table.Entity.self == Entity.self else { return }
    let new = transaction.contents.part(at: path)
    let old = transaction.base.box.address.part(at: path)
    if new.pointee.isIdentical(to: old.pointee) { return }
    result = recast(new.pointee.changes(since: old.pointee), as: TableChanges<Entity>.self)
  }
}

// A batch on a version with tracking of writes (see `notingWrites`) notes the rows that it writes.
// Any other batch only reads `isNoting`, which costs little.
extension BatchTransaction {
  /// Notes a row that is written, even if its value stays the same or the row is missing.
  @usableFromInline
  func noteWrite<Entity: EntityType>(_ id: EntityIdentifier<Entity>) {
    changeWritten { $0.insert(id) }
  }

  /// Notes a row that is inserted, after `noteWrite(_:)` has noted that it is written.
  @usableFromInline
  func noteInsertion<Entity: EntityType>(_ id: EntityIdentifier<Entity>) {
    changeWritten { $0.insertInserted(id) }
  }

  /// Notes that the batch may write every row of a table.
  @usableFromInline
  func noteWrites<Entity: EntityType>(of entity: Entity.Type) {
    changeWritten { $0.insertRows(of: entity) }
  }

  /// Notes that the batch sets the positions of rows in a table.
  @usableFromInline
  func noteOrder<Entity: EntityType>(of entity: Entity.Type) {
    changeWritten { $0.insertOrder(of: entity) }
  }

  /// Notes that the batch may write every row of the database.
  func noteAllWrites() { changeWritten { $0.insertAll() } }

  private func changeWritten(_ body: (inout NotedRows) -> Void) {
    guard isNoting, var rows = written.take() ?? base.box.layout.written else { return }
    body(&rows)
    written = rows
  }

  /// Returns the current version of the batch, with the noted rows. The version lacks the noted
  /// rows if `base` is unvalidated and the batch changed anything.
  @usableFromInline
  func notingVersion() -> Snapshot<Storage.Contents> {
    if base.box.layout.isUnvalidated, !isUntouched { return Snapshot(unchecked: contents.pointee) }
    let version = isUntouched ? base : Snapshot(unchecked: contents.pointee, after: base)
    return written.map(version.noting) ?? version
  }
}
