public import EntiaCollections

/// The result of a closure on a copy of an entity, before anything is stored.
@frozen
@usableFromInline
enum StagedUpdate<Entity: EntityType> {
  case missing
  case changedID(Entity.EntityID)
  case unchanged(Entity)
  /// The new row has to be stored. It is equal to the old one if only transient members differ.
  case changed(old: Entity, new: Entity)
}

extension TableType {
  /// Runs the closure on a copy, so that a throw or a changed ID leaves the entity as it was.
  @inlinable
  @inline(__always)
  func stageUpdate(
    id: Entity.EntityID, _ body: (inout Entity) throws -> Void
  ) rethrows -> StagedUpdate<Entity> {
    guard let old = find(by: id) else { return .missing }
    var new = old
    try body(&new)
    guard new.hasID(id) else { return .changedID(new.entityID) }
    if haveSameValue(new, old), !Entity.hasTransientMembers {
      EqualityAudit.check(old, new)
      return .unchanged(old)
    }
    return .changed(old: old, new: new)
  }
}
