public import EntiaCollections

/// The result of inserting an entity.
@frozen
public struct InsertionResult<Entity: EntityType>: Equatable, Sendable {
  /// The entity that is now in the table.
  public let entity: Entity
  /// Whether the entity was inserted, replaced another, or was already stored.
  public let outcome: TableInsertion<Entity>

  @inlinable
  init(entity: Entity, outcome: TableInsertion<Entity>) {
    self.entity = entity
    self.outcome = outcome
  }

  /// The entity's ID.
  @inlinable
  public var entityID: Entity.EntityID { entity.entityID }

  /// The different entity that was replaced, or `nil`.
  @inlinable
  public var replaced: Entity? {
    if case .replaced(let old) = outcome { return old }
    return nil
  }
}
