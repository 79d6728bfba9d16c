/// What an insertion does when another entity has the key that is to be unique.
public enum UniqueConflictPolicy<Entity: EntityType> {
  /// The other entity is removed, with what its delete rules say goes with it.
  case replace
  /// The other entity stays, and nothing is inserted.
  case keep
  /// The closure brings what the new entity says into the other one, which keeps its ID; nothing else
  /// is inserted.
  ///
  /// ```swift
  /// context.modifying.authors.insert(author, onConflict: .merge { $0.name = $1.name })
  /// ```
  case merge((_ existing: inout Entity, _ new: Entity) -> Void)
}

/// What an insertion with a `UniqueConflictPolicy` did.
public enum UniqueInsertion<Entity: EntityType>: Equatable, Sendable {
  /// Nobody else had a unique key of the entity: it was inserted as always.
  case inserted(InsertionResult<Entity>)
  /// The entity was inserted, and the others that had its keys were removed.
  case replaced(InsertionResult<Entity>, removed: [Entity])
  /// Nothing was done: these others have the entity's keys.
  case kept([Entity])
  /// The entity was merged into another one, which is like this now.
  case merged(InsertionResult<Entity>)

  /// The entity that is in the table for the inserted one: itself, the one that it was merged into,
  /// or the first of those that were kept.
  public var entity: Entity? {
    switch self {
    case .inserted(let result), .replaced(let result, _), .merged(let result): result.entity
    case .kept(let others): others.first
    }
  }
}
