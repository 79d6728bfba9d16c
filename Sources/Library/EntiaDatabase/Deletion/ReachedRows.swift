/// The IDs of the reached rows of one entity type. `pending` has the IDs of the rows whose keys
/// have not been followed yet.
final class ReachedRows<Contents: StorageContents, Entity: EntityType> {
  private(set) var ids: Set<Entity.EntityID> = []
  private var pending: [Entity.EntityID] = []

  func add(_ reached: some Sequence<Entity.EntityID>) {
    for id in reached where ids.insert(id).inserted { pending.append(id) }
  }

  /// Follows the keys of the rows that were reached since the previous call. Returns `false` if no
  /// row was reached since that call.
  func spread(in reach: Reachability<Contents>, _ direction: CollectionReach) -> Bool {
    if pending.isEmpty { return false }
    reach.snapshot.withTable(of: Entity.self) { table in
      while let id = pending.popLast() {
        guard let entity = table?.find(by: id) else { continue }
        var keys = KeyFollower(reach: reach, entity: entity, direction: direction)
        Contents.visitParts(&keys)
      }
    }
    return true
  }
}

private struct KeyFollower<Contents: StorageContents, Entity: EntityType>: StorageVisitor {
  let reach: Reachability<Contents>
  let entity: Entity
  let direction: CollectionReach

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {
    reach.snapshot.withRelationship(at: path) { relationship in
      if let ids = relationship.targetIDs(ofAny: entity) {
        reach.rows(of: Relationship.Target.self).add(ids)
      }
      if direction == .keysAndDependents, relationship.onDelete == .cascade,
        let id = relationship.targetID(ofAny: entity)
      {
        reach.rows(of: Relationship.Holder.self).add(relationship.holderIDs(of: id))
      }
    }
  }
}

/// Finds the entities that are reachable from the roots by keys, without recursion.
final class Reachability<Contents: StorageContents> {
  /// The version in which rows are looked up.
  private(set) var snapshot: Snapshot<Contents>
  private let direction: CollectionReach
  private var tables: [ObjectIdentifier: AnyObject] = [:]
  /// For each of `tables`, a closure that calls `spread` of the table.
  private var spreads: [(Reachability) -> Bool] = []

  init(_ snapshot: Snapshot<Contents>, following direction: CollectionReach) {
    self.snapshot = snapshot
    self.direction = direction
  }

  /// Looks up rows in another version from now on. The keys of rows that were already reached are
  /// not followed again.
  func move(to snapshot: Snapshot<Contents>) { self.snapshot = snapshot }

  /// Returns the reached rows of one entity type.
  func rows<Entity: EntityType>(of entity: Entity.Type) -> ReachedRows<Contents, Entity> {
    let key = ObjectIdentifier(entity)
    if let known = tables[key] as? ReachedRows<Contents, Entity> { return known }
    let fresh = ReachedRows<Contents, Entity>()
    tables[key] = fresh
    spreads.append { fresh.spread(in: $0, $0.direction) }
    return fresh
  }

  /// Follows keys until no further row is reached.
  func spread() {
    var isDone = false
    while !isDone {
      isDone = true
      // Following the keys of one type may append other types to `spreads`.
      var next = 0
      while next < spreads.count {
        if spreads[next](self) { isDone = false }
        next += 1
      }
    }
  }
}
