public import EntiaCollections

/// The layout of a table of entities: each is found by its ID.
public enum EntityTableLayout<Entity: EntityType>: KeyedElements {
  /// Returns the entity's ID.
  @inlinable
  @inline(__always)
  public static func key(of element: Entity) -> Entity.EntityID { element.entityID }
}
