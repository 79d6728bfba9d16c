public import EntiaDatabase

extension Store {
  /// Follows an entity that is there now, and remembers it when it goes.
  ///
  /// - Parameters:
  ///   - id: The entity's ID.
  ///   - path: The key path of the database in the state.
  /// - Returns: A handle whose value is never missing, or `nil` if the entity does not exist.
  public func handle<Storage: NormalizedStorageType, Entity: EntityType>(
    of id: EntityIdentifier<Entity>, in path: any KeyPath<State, Storage> & Sendable
  ) -> EntityHandle<Entity>? {
    let row = entity(id, in: path)
    return row.source.current.value.map { EntityHandle(id, row, last: $0) }
  }

  /// Follows an entity that the caller has seen, whether it is there or not.
  ///
  /// - Parameters:
  ///   - entity: The entity, which is shown while there is none with its ID.
  ///   - path: The key path of the database in the state.
  /// - Returns: A handle whose value is never missing.
  public func handle<Storage: NormalizedStorageType, Entity: EntityType>(
    of entity: Entity, in path: any KeyPath<State, Storage> & Sendable
  ) -> EntityHandle<Entity> {
    let id = entity.entityID
    return EntityHandle(id, self.entity(id, in: path), last: entity)
  }

  /// Follows several entities, those that are there now.
  ///
  /// - Returns: A handle for each, in the order of the IDs.
  public func handles<Storage: NormalizedStorageType, Entity: EntityType>(
    of ids: some Sequence<EntityIdentifier<Entity>>,
    in path: any KeyPath<State, Storage> & Sendable
  ) -> [EntityHandle<Entity>] {
    ids.compactMap { handle(of: $0, in: path) }
  }

  /// Follows the entities that a batch has inserted.
  ///
  /// - Returns: A handle for each, in the order of the results.
  public func handles<Storage: NormalizedStorageType, Entity: EntityType>(
    of results: some Sequence<InsertionResult<Entity>>,
    in path: any KeyPath<State, Storage> & Sendable
  ) -> [EntityHandle<Entity>] {
    results.map { handle(of: $0.entity, in: path) }
  }
}
