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
}
