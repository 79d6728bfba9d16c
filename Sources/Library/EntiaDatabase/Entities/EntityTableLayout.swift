public import EntiaCollections

/// The layout of a table of entities, keyed by their IDs.
public enum EntityTableLayout<Entity: EntityType>: KeyedElements {
  /// Returns the entity's ID.
  @inlinable
  @inline(__always)
  public static func key(of element: Entity) -> Entity.EntityID { element.entityID }

  /// Returns whether the entity has the ID.
  @inlinable
  @inline(__always)
  public static func matches(_ element: Entity, _ key: Entity.EntityID) -> Bool {
    element.hasID(key)
  }
}
