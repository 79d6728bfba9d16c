public import EntiaCollections

/// A namespace for the kinds of tables of a database.
public enum Tables {}

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

  /// The replaced entity, which differs from `entity`; `nil` if no entity was replaced.
  @inlinable
  public var replaced: Entity? {
    if case .replaced(let old) = outcome { return old }
    return nil
  }
}

/// The reason why a table refused a change.
public enum TableError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No entity has the ID.
  case notFound(EntityLabel)
  /// An update changed the entity's ID.
  case changedID(EntityLabel, to: EntityLabel)

  /// A sentence that names the entity and the reason.
  public var description: String {
    switch self {
    case .notFound(let entity): "there is no \(entity)"
    case .changedID(let entity, let new):
      "an update of \(entity) changed its ID to \(new.id); the row was left unchanged"
    }
  }
}
