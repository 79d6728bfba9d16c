extension NormalizedStorageType {
  /// Returns the entity with an ID, or `nil` when no entity has the ID.
  /// - Complexity: O(1) expected.
  package func row<Entity: EntityType>(of id: EntityIdentifier<Entity>) -> Entity? {
    snapshot.find(id)
  }
}
