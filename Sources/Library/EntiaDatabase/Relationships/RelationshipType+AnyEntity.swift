// For visitors that search for the relationships of one entity type. They compare it with the types
// of both ends; the compiler evaluates the comparison in a specialized visitor.
extension RelationshipType {
  /// Returns the IDs of the entities that an entity references, or `nil` when it is not a holder of
  /// this relationship.
  @inlinable
  @inline(__always)
  func targetIDs<Entity: EntityType>(ofAny entity: Entity) -> [Target.EntityID]? {
    Holder.self == Entity.self ? targetIDs(of: recast(entity, as: Holder.self)) : nil
  }

  /// Returns the ID of an entity, or `nil` when it is not a target of this relationship.
  @inlinable
  @inline(__always)
  func targetID<Entity: EntityType>(ofAny entity: Entity) -> Target.EntityID? {
    Target.self == Entity.self ? recast(entity.entityID, as: Target.EntityID.self) : nil
  }
}
