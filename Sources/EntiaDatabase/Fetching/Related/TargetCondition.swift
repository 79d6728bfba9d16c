/// A condition on an entity that a row's key names.
struct TargetCondition<Root: StorageContents, Relationship: RelationshipType>: RelatedCondition {
  typealias Entity = Relationship.Holder

  let path: any KeyPath<Root, Relationship> & Sendable
  let predicate: CompiledPredicate

  func prepare<Contents: StorageContents>(
    in snapshot: Snapshot<Contents>, _ counter: FetchCounter
  ) -> PreparedCondition<Relationship.Holder>? {
    guard let snapshot = snapshot as? Snapshot<Root> else { return nil }
    let relationship = snapshot.contents[keyPath: path]
    guard
      let related = RelatedRows<Root, Relationship.Target>(snapshot, predicate, counter),
      let holderCount = snapshot.table(of: Relationship.Holder.self)?.count
    else { return nil }
    let name = Root.name(of: path)
    let candidates = related.candidates.map { targets in
      RowCandidates<Relationship.Holder>(
        count: related.estimate(targets.count, of: holderCount), names: targets.names + [name],
        access: "\(targets.access) through \(name)", hasRepeats: true
      ) { body in
        related.visit(targets) { target in
          relationship.holderIDs(of: target.entityID).allSatisfy(body)
        }
      }
    }
    return PreparedCondition(
      accepts: { row in
        let holder = row.assumingMemoryBound(to: Relationship.Holder.self)
        return relationship.targetIDs(of: holder.pointee).contains { related.accepts($0) }
      }, candidates: candidates, interpreted: predicate.interpreted)
  }

  var relatedEntity: ObjectIdentifier { ObjectIdentifier(Relationship.Target.self) }

  func affectedIDs<Contents: StorageContents>(
    by changes: [ObjectIdentifier: any AnyTableChanges], from old: Snapshot<Contents>,
    to new: Snapshot<Contents>
  ) -> [Relationship.Holder.EntityID] {
    guard let old = old as? Snapshot<Root>, let new = new as? Snapshot<Root>,
      let targets = changes[relatedEntity] as? TableChanges<Relationship.Target>
    else { return [] }
    let ids =
      targets.inserted.map(\.entityID) + targets.updated.map(\.entityID)
      + targets.removed.map(\.entityID)
    let (before, after) = (old.contents[keyPath: path], new.contents[keyPath: path])
    return ids.flatMap { before.holderIDs(of: $0) + after.holderIDs(of: $0) }
  }
}
