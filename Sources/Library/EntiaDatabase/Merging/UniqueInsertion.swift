/// The outcome of an insertion with a policy for conflicts of unique keys.
public enum UniqueInsertion<Entity: EntityType>: Equatable, Sendable {
  /// No other entity had a unique key of the entity: it was inserted as usual.
  case inserted(InsertionResult<Entity>)
  /// The entity was inserted, and the others with its keys were removed.
  case replaced(InsertionResult<Entity>, removed: [Entity])
  /// Nothing was inserted: these entities have the entity's keys.
  case kept([Entity])
  /// The entity was merged into another one, which has this value now.
  case merged(InsertionResult<Entity>)

  /// The entity in the table that stands for the inserted one: itself, the entity that it was
  /// merged into, or the first of those that were kept.
  public var entity: Entity? {
    switch self {
    case .inserted(let result), .replaced(let result, _), .merged(let result): result.entity
    case .kept(let others): others.first
    }
  }
}
