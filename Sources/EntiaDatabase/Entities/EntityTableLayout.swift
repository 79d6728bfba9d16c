public import EntiaCollections

/// The layout of a table of entities, keyed by their IDs.
public enum EntityTableLayout<Entity: EntityType>: KeyedElements {
  /// Returns the entity's ID.
  @inlinable
  @inline(__always)
  public static func key(of element: Entity) -> Entity.EntityID {
    let id = element.entityID
    assert(element.hasID(id), mismatch(id))
    return id
  }

  /// Reports an entity that could never be found by its ID.
  @usableFromInline
  static func mismatch(_ id: Entity.EntityID) -> String {
    """
    \(Entity.entityName) \(id) is not found by its ID: 'hasID' compares the 'id' of 'Identifiable', \
    and 'entityID' is another member; declare \
    'func hasID(_ id: EntityID) -> Bool { entityID == id }' in \(Entity.self)
    """
  }

  /// Returns whether the entity has the ID.
  @inlinable
  @inline(__always)
  public static func matches(_ element: Entity, _ key: Entity.EntityID) -> Bool {
    element.hasID(key)
  }
}
