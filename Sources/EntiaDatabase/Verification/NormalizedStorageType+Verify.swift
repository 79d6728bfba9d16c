import EntiaCollections

extension NormalizedStorageType {
  /// Checks every row, both directions of every relationship, every index and every constraint on
  /// single rows.
  /// - Returns: The issues: table by table, then relationship by relationship, then index by
  ///   index and constraint by constraint, in the order of their declaration. The list is empty
  ///   if there are none.
  /// - Complexity: O(*n*).
  public func verify() -> [VerificationIssue] {
    var verifier = Verifier<Contents>(contents: snapshot.contents, snapshot: snapshot)
    Contents.visitParts(&verifier)
    return verifier.tableIssues + verifier.relationshipIssues + verifier.indexIssues
      + constraintIssues()
  }
}

private struct Verifier<Contents: StorageContents>: StorageVisitor {
  let contents: Contents
  let snapshot: Snapshot<Contents>
  var tableIssues: [VerificationIssue] = []
  var relationshipIssues: [VerificationIssue] = []
  var indexIssues: [VerificationIssue] = []

  mutating func table<Table: TableType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Table> & Sendable
  ) {
    let table = contents[keyPath: path]
    var count = 0
    var seen: Set<Table.Entity.EntityID> = []
    for entity in table {
      count += 1
      if !seen.insert(entity.entityID).inserted || !table.contains(entity.entityID) {
        tableIssues.append(.misfiledRow(table: name, entity: EntityLabel(entity.entityID)))
      }
    }
    if count != table.count {
      tableIssues.append(
        .orderMismatch(table: name, reason: "\(count) rows in order for a count of \(table.count)"))
    }
    if let ordered = table as? any PositionedTable {
      tableIssues += ordered.positionMismatches().map { .orderMismatch(table: name, reason: $0) }
    }
  }

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Relationship> & Sendable
  ) {
    let relationship = contents[keyPath: path]
    let targets = snapshot.table(of: Relationship.Target.self)
    let limits = relationship.countLimits
    var scanned: [Relationship.Target.EntityID: Set<Relationship.Holder.EntityID>] = [:]
    var order: [Relationship.Target.EntityID] = []
    snapshot.table(of: Relationship.Holder.self)?.visitRows { holder in
      let named = relationship.targetIDs(of: holder)
      if !limits.allow(named.count) {
        relationshipIssues.append(
          .wrongCount(
            EntityLabel(holder.entityID), relationship: name, count: named.count, limits: limits))
      }
      for target in named {
        if scanned[target, default: []].insert(holder.entityID).inserted,
          scanned[target]?.count == 1
        {
          order.append(target)
        }
        if targets?.contains(target) != true {
          relationshipIssues.append(
            .danglingReference(
              EntityLabel(holder.entityID), relationship: name, target: EntityLabel(target)))
        }
      }
    }
    let holderLimits = relationship.holderLimits
    if holderLimits != .any {
      targets?.visitRows { target in
        let count = scanned[target.entityID]?.count ?? 0
        if holderLimits.allow(count) { return }
        relationshipIssues.append(
          .wrongHolderCount(
            EntityLabel(target.entityID), relationship: name, count: count, limits: holderLimits))
      }
    }
    for target in order where Set(relationship.holderIDs(of: target)) != scanned[target] {
      relationshipIssues.append(
        .reverseMismatch(relationship: name, target: EntityLabel(target)))
    }
    for target in relationship.linkedTargetIDs where scanned[target] == nil {
      relationshipIssues.append(
        .reverseMismatch(relationship: name, target: EntityLabel(target)))
    }
  }

  mutating func index<Index: IndexType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Index> & Sendable
  ) {
    let index = contents[keyPath: path]
    var rebuilt = index
    let table = snapshot.table(of: Index.Entity.self)
    rebuilt.rebuild { visit in table?.visitRows(visit) }
    indexIssues += index.mismatches(from: rebuilt).map {
      .indexMismatch(index: name, entity: $0.entity, key: $0.key)
    }
  }
}
