/// A condition on the entities that reference a row.
struct HolderCondition<Relationship: RelationshipType>: RelatedCondition {
  typealias Entity = Relationship.Target

  let path: JoinPath<Relationship>
  let related: FetchDescriptor<Relationship.Holder>
  let quantifier: JoinQuantifier

  func prepare<Storage: NormalizedStorageType>(
    in storage: Storage, _ counter: FetchCounter
  ) -> PreparedCondition<Relationship.Target>? {
    guard let relationship = path.relationship(in: storage),
      let rows = RelatedRows(related, in: storage, counter),
      let targetCount = storage.snapshot.table(of: Relationship.Target.self)?.count
    else { return nil }
    let name = JoinPath.name(of: relationship, in: storage.snapshot.contents)
    let found = quantifier.requiresMatch ? rows.candidates : nil
    let candidates = found.map { holders in
      RowCandidates<Relationship.Target>(
        count: rows.estimate(holders.count, of: targetCount), names: holders.names + [name],
        access: "\(holders.access) through \(name)", hasRepeats: true
      ) { body in
        rows.visit(holders) { relationship.targetIDs(of: $0).allSatisfy(body) }
      }
    }
    return PreparedCondition(
      accepts: { row in
        let target = row.assumingMemoryBound(to: Relationship.Target.self)
        return quantifier.accepts(
          relationship.holderIDs(of: target.pointee.entityID), in: rows)
      }, candidates: candidates, interpreted: rows.interpreted)
  }

  var relatedEntities: [ObjectIdentifier] { related.entityTypes }

  func affectedIDs<Storage: NormalizedStorageType>(
    by changes: [ObjectIdentifier: any AnyTableChanges], from old: Storage, to new: Storage
  ) -> [Relationship.Target.EntityID] {
    guard let relationship = path.relationship(in: new) else { return [] }
    var rows: [Relationship.Holder] = []
    let type = ObjectIdentifier(Relationship.Holder.self)
    if let holders = changes[type] as? TableChanges<Relationship.Holder> {
      rows += holders.inserted + holders.removed + holders.updated.flatMap { [$0.old, $0.new] }
    }
    // An unchanged holder references the same entities in both versions, so one version of it is
    // enough.
    for id in related.affectedIDs(by: changes, from: old, to: new) {
      if let row = new.row(of: id) ?? old.row(of: id) { rows.append(row) }
    }
    return rows.flatMap { relationship.targetIDs(of: $0) }
  }
}
