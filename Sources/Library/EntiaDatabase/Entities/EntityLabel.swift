/// An entity's name and ID as text, for errors and reports on entities of any type.
public struct EntityLabel: Hashable, Sendable, CustomStringConvertible {
  /// The name of the entity, `EntityType.entityName`.
  public let entity: String
  /// The text of the ID.
  public let id: String

  /// Creates the label of an ID.
  public init<Entity: EntityType>(_ id: EntityIdentifier<Entity>) {
    entity = Entity.entityName
    self.id = id.description
  }

  /// Creates the label of a part that stores held IDs.
  init<Entity: EntityType>(part name: String, of type: Entity.Type) {
    entity = "the \(Entity.entityName) IDs of"
    id = name
  }

  /// The name and the ID, as in `Author a1`.
  public var description: String { "\(entity) \(id)" }
}
