/// A condition on an entity whose key names a row.
struct HolderCondition<Root: StorageContents, Relationship: RelationshipType>: RelatedCondition {
  typealias Entity = Relationship.Target

  let path: any KeyPath<Root, Relationship> & Sendable
  let predicate: CompiledPredicate

  func prepare<Contents: StorageContents>(
    in snapshot: Snapshot<Contents>, _ counter: FetchCounter
  ) -> PreparedCondition<Relationship.Target>? {
    guard let snapshot = snapshot as? Snapshot<Root> else { return nil }
    let relationship = snapshot.contents[keyPath: path]
    guard
      let related = RelatedRows<Root, Relationship.Holder>(snapshot, predicate, counter),
      let targetCount = snapshot.table(of: Relationship.Target.self)?.count
    else { return nil }
    let name = Root.name(of: path)
    let candidates = related.candidates.map { holders in
      RowCandidates<Relationship.Target>(
        count: related.estimate(holders.count, of: targetCount), names: holders.names + [name],
        access: "\(holders.access) through \(name)", hasRepeats: true
      ) { body in
        related.visit(holders) { relationship.targetIDs(of: $0).allSatisfy(body) }
      }
    }
    return PreparedCondition(
      accepts: { row in
        let target = row.assumingMemoryBound(to: Relationship.Target.self)
        return relationship.holderIDs(of: target.pointee.entityID).contains { related.accepts($0) }
      }, candidates: candidates, interpreted: predicate.interpreted)
  }

  var relatedEntity: ObjectIdentifier { ObjectIdentifier(Relationship.Holder.self) }

  func affectedIDs<Contents: StorageContents>(
    by changes: [ObjectIdentifier: any AnyTableChanges], from old: Snapshot<Contents>,
    to new: Snapshot<Contents>
  ) -> [Relationship.Target.EntityID] {
    guard let new = new as? Snapshot<Root>,
      let holders = changes[relatedEntity] as? TableChanges<Relationship.Holder>
    else { return [] }
    let relationship = new.contents[keyPath: path]
    let rows =
      holders.inserted + holders.removed + holders.updated.flatMap { [$0.old, $0.new] }
    return rows.flatMap { relationship.targetIDs(of: $0) }
  }
}
