/// A condition on the entities that a row references.
struct TargetCondition<Relationship: RelationshipType>: RelatedCondition {
  typealias Entity = Relationship.Holder

  let path: JoinPath<Relationship>
  let related: FetchDescriptor<Relationship.Target>
  let quantifier: JoinQuantifier

  func prepare<Storage: NormalizedStorageType>(
    in storage: Storage, _ counter: FetchCounter
  ) -> PreparedCondition<Relationship.Holder>? {
    guard let relationship = path.relationship(in: storage),
      let rows = RelatedRows(related, in: storage, counter),
      let holderCount = storage.snapshot.table(of: Relationship.Holder.self)?.count
    else { return nil }
    let name = JoinPath.name(of: relationship, in: storage.snapshot.contents)
    let found = quantifier.requiresMatch ? rows.candidates : nil
    let candidates = found.map { targets in
      RowCandidates<Relationship.Holder>(
        count: rows.estimate(targets.count, of: holderCount), names: targets.names + [name],
        access: "\(targets.access) through \(name)", hasRepeats: true
      ) { body in
        rows.visit(targets) { target in
          relationship.holderIDs(of: target.entityID).allSatisfy(body)
        }
      }
    }
    return PreparedCondition(
      accepts: { row in
        let holder = row.assumingMemoryBound(to: Relationship.Holder.self)
        return quantifier.accepts(relationship.targetIDs(of: holder.pointee), in: rows)
      }, candidates: candidates, interpreted: rows.interpreted)
  }

  var usesSearch: Bool { related.usesSearch }

  var relatedEntities: [ObjectIdentifier] { related.entityTypes }

  func affectedIDs<Storage: NormalizedStorageType>(
    by changes: [ObjectIdentifier: any AnyTableChanges], from old: Storage, to new: Storage
  ) -> [Relationship.Holder.EntityID] {
    guard let before = path.relationship(in: old), let after = path.relationship(in: new) else {
      return []
    }
    var ids = related.affectedIDs(by: changes, from: old, to: new)
    let type = ObjectIdentifier(Relationship.Target.self)
    if let targets = changes[type] as? TableChanges<Relationship.Target> {
      ids += targets.inserted.map(\.entityID) + targets.updated.map(\.entityID)
      ids += targets.removed.map(\.entityID)
    }
    return ids.flatMap { before.holderIDs(of: $0) + after.holderIDs(of: $0) }
  }
}
