/// Finds the entities that are reachable from the roots by keys, without recursion.
final class Reachability<Contents: StorageContents> {
  let snapshot: Snapshot<Contents>
  private let direction: CollectionReach
  private var tables: [ObjectIdentifier: any ReachedTable<Contents>] = [:]
  private var order: [any ReachedTable<Contents>] = []

  init(_ snapshot: Snapshot<Contents>, following direction: CollectionReach) {
    self.snapshot = snapshot
    self.direction = direction
  }

  /// Returns the reached rows of one entity type.
  func rows<Entity: EntityType>(of entity: Entity.Type) -> ReachedRows<Contents, Entity> {
    let key = ObjectIdentifier(entity)
    if let known = tables[key] as? ReachedRows<Contents, Entity> { return known }
    let fresh = ReachedRows<Contents, Entity>()
    tables[key] = fresh
    order.append(fresh)
    return fresh
  }

  /// Follows keys until nothing new is found.
  func spread() {
    var isDone = false
    while !isDone {
      isDone = true
      // Following the keys of one type may append other types.
      var next = 0
      while next < order.count {
        if order[next].spread(in: self, direction) { isDone = false }
        next += 1
      }
    }
  }
}
