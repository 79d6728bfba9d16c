public import EntiaCollections

/// What a closure did to a copy of an entity, before any of it is stored.
@frozen
@usableFromInline
enum StagedUpdate<Entity: EntityType> {
  case missing
  case changedID(Entity.EntityID)
  case unchanged(Entity)
  case changed(old: Entity, new: Entity)
}

extension Tables.Hash {
  /// Runs the closure on a copy, so that a throw or a changed ID leaves the entity as it was.
  @inlinable
  @inline(__always)
  func stageUpdate(
    id: Entity.EntityID, _ body: (inout Entity) throws -> Void
  ) rethrows -> StagedUpdate<Entity> {
    guard let old = rows[id] else { return .missing }
    var new = old
    try body(&new)
    let newID = new.entityID
    guard newID == id else { return .changedID(newID) }
    return new == old ? .unchanged(old) : .changed(old: old, new: new)
  }
}

/// What an update did to a table.
@frozen
@usableFromInline
enum AppliedUpdate<Entity: EntityType> {
  case missing
  case changedID(Entity.EntityID)
  /// The entity that is in the table now.
  case stored(Entity)
}

extension Tables.Hash {
  /// Changes an entity where it stands when nothing shares it, and through a copy otherwise, so that
  /// an update which changes nothing copies no path.
  @inlinable
  @inline(__always)
  mutating func applyUpdate(
    id: Entity.EntityID, _ body: (inout Entity) throws -> Void
  ) rethrows -> AppliedUpdate<Entity> {
    let slot = rows.slot(of: id)
    if slot < 0 { return .missing }
    if let place = rows.ownedPointer(at: slot) {
      let old = place.pointee
      do {
        try body(&place.pointee)
      } catch {
        place.pointee = old
        throw error
      }
      if place.pointee.hasID(id) { return .stored(place.pointee) }
      let newID = place.pointee.entityID
      place.pointee = old
      return .changedID(newID)
    }
    let old = rows.element(at: slot)
    var new = old
    try body(&new)
    guard new.hasID(id) else { return .changedID(new.entityID) }
    if new != old { rows.replaceShared(at: slot, by: new) }
    return .stored(new)
  }
}
