extension NormalizedStorageType {
  /// Returns an entity with related entities nested in it: those that it references, and on request
  /// those that reference it.
  ///
  /// - Parameters:
  ///   - id: The ID of the entity.
  ///   - depth: The number of references to follow on one branch. With 0, an entity is nested as it
  ///     is stored.
  ///   - inverses: The relationships to follow from an entity to those that reference it, each with
  ///     its own depth, which does not count for `depth`.
  ///   - maximumCount: The greatest number of entities to nest. The number grows exponentially with
  ///     the depth, because an entity is nested on each branch.
  /// - Returns: The nesting, or `nil` when no entity has the ID. An entity that repeats on its own
  ///   branch is nested as its ID. A nesting of more than `maximumCount` entities ends there: its
  ///   `isTooLarge` is `true`, and encoding it throws.
  /// - Complexity: O(*k*) expected in the number of nested entities, at most `maximumCount`. The
  ///   traversal does not recurse.
  public func denormalized<Entity: EntityType>(
    _ id: EntityIdentifier<Entity>, depth: Int = 1, following inverses: [InverseNesting<Self>] = [],
    maximumCount: Int = DenormalizedEntity.defaultMaximumCount
  ) -> DenormalizedEntity? {
    let levels = NestingLevels(references: depth, inverses: inverses.map(\.depth))
    var builder = NestingBuilder(
      snapshot: snapshot, inverses: inverses.map { ($0.name, $0.relationship) })
    builder.maximumCount = max(maximumCount, 1)
    builder.resolve(EntityNesting(id: id, levels: levels, position: nil))
    return builder.result.nodes.isEmpty ? nil : builder.result
  }
}
