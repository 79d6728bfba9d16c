public import EntiaCollections

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
    if haveSameValue(new, old) {
      EqualityAudit.check(old, new)
    } else {
      rows.replaceShared(at: slot, by: new)
    }
    return .stored(new)
  }
}
