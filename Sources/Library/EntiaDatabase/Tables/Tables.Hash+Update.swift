public import EntiaCollections

/// The result of an update of a table.
@frozen
@usableFromInline
enum AppliedUpdate<Entity: EntityType> {
  case missing
  case changedID(Entity.EntityID)
  /// The entity that is now in the table.
  case stored(Entity)
}

extension Tables.Hash {
  /// Changes an entity in place when its storage is not shared, otherwise through a copy, so that
  /// an update without a change copies no path.
  @inlinable
  @inline(__always)
  mutating func applyUpdate(
    id: Entity.EntityID, _ body: (inout Entity) throws -> Void
  ) rethrows -> AppliedUpdate<Entity> {
    let (slot, owned) = rows.locate(id)
    if slot < 0 { return .missing }
    if let row = owned {
      let old = row.pointee
      do {
        try body(&row.pointee)
      } catch {
        row.pointee = old
        throw error
      }
      if row.pointee.hasID(id) { return .stored(row.pointee) }
      let newID = row.pointee.entityID
      row.pointee = old
      return .changedID(newID)
    }
    let old = rows.element(at: slot)
    var new = old
    try body(&new)
    guard new.hasID(id) else { return .changedID(new.entityID) }
    if haveSameValue(new, old), !Entity.hasTransientMembers {
      EqualityAudit.check(old, new)
    } else {
      rows.replaceShared(at: slot, by: new)
    }
    return .stored(new)
  }
}
