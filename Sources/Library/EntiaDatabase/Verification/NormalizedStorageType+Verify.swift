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

private struct Verifier<Contents: StorageContents>: RebuildableIndexVisitor {
  let contents: Contents
  let snapshot: Snapshot<Contents>
  var tableIssues: [VerificationIssue] = []
  var relationshipIssues: [VerificationIssue] = []
  var indexIssues: [VerificationIssue] = []

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
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
    if let ordered = table as? Tables.Ordered<Table.Entity> {
      tableIssues += ordered.positionMismatches().map { .orderMismatch(table: name, reason: $0) }
    }
  }

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {
    let relationship = contents[keyPath: path]
    let targets = snapshot.table(of: Relationship.Target.self)
    let limits = relationship.countLimits
    var pairs = 0
    var areLinked = true
    snapshot.table(of: Relationship.Holder.self)?.visitRows { holder in
      let named = relationship.targetIDs(of: holder)
      if !limits.allow(named.count) {
        relationshipIssues.append(
          .wrongCount(
            EntityLabel(holder.entityID), relationship: name, count: named.count, limits: limits))
      }
      for target in named where targets?.contains(target) != true {
        relationshipIssues.append(
          .danglingReference(
            EntityLabel(holder.entityID), relationship: name, target: EntityLabel(target)))
      }
      let distinct = named.count > 1 ? Array(Set(named)) : named
      pairs += distinct.count
      if areLinked {
        areLinked = distinct.allSatisfy { relationship.isReferenced($0, by: holder.entityID) }
      }
    }
    if relationship.holderLimits != .any {
      targets?.visitRows { target in
        let count = relationship.holderCount(of: target.entityID)
        if relationship.holderLimits.allow(count) { return }
        relationshipIssues.append(
          .wrongHolderCount(
            EntityLabel(target.entityID), relationship: name, count: count,
            limits: relationship.holderLimits))
      }
    }
    // If every reference has a link, and there are as many links as references, the links are
    // correct.
    let linkedPairs = relationship.linkedTargetIDs.reduce(0) {
      $0 + relationship.holderCount(of: $1)
    }
    if !areLinked || linkedPairs != pairs { compareLinks(of: relationship, name) }
  }

  /// Reports each target whose linked holders differ from the holders whose rows reference it.
  private mutating func compareLinks<Relationship: RelationshipType>(
    of relationship: Relationship, _ name: String
  ) {
    var scanned: [Relationship.Target.EntityID: Set<Relationship.Holder.EntityID>] = [:]
    var order: [Relationship.Target.EntityID] = []
    snapshot.table(of: Relationship.Holder.self)?.visitRows { holder in
      for target in relationship.targetIDs(of: holder)
      where scanned[target, default: []].insert(holder.entityID).inserted
        && scanned[target]?.count == 1
      {
        order.append(target)
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

  mutating func rebuildableIndex<Index: RebuildableIndex>(
    _ name: String, _ path: PartPath<Contents, Index>
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
