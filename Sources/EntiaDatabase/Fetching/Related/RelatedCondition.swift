/// A condition on entities that are related to a row.
protocol RelatedCondition<Entity>: Sendable {
  associatedtype Entity: EntityType
}
