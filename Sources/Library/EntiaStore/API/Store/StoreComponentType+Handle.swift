public import EntiaDatabase

extension StoreComponentType {
  /// Returns a handle of an existing entity, which keeps the last known value after its removal.
  ///
  /// - Parameters:
  ///   - id: The entity's ID.
  ///   - path: The key path of the database in the state, as in ``entity(_:in:)``.
  /// - Returns: A handle whose value is never missing, or `nil` if the entity does not exist.
  public func handle<Storage: NormalizedStorageType, Entity: EntityType>(
    of id: EntityIdentifier<Entity>, in path: any KeyPath<State, Storage> & Sendable
  ) -> EntityHandle<Entity>? {
    let row = entity(id, in: path)
    return row.source.current.value.map { EntityHandle(id, row, last: $0) }
  }

  /// Returns a handle of a given entity, existing or not.
  ///
  /// - Parameters:
  ///   - entity: The entity, which is the handle's value while no entity with its ID exists.
  ///   - path: The key path of the database in the state, as in ``entity(_:in:)``.
  /// - Returns: A handle whose value is never missing.
  public func handle<Storage: NormalizedStorageType, Entity: EntityType>(
    of entity: Entity, in path: any KeyPath<State, Storage> & Sendable
  ) -> EntityHandle<Entity> {
    let id = entity.entityID
    return EntityHandle(id, self.entity(id, in: path), last: entity)
  }

  /// Returns handles of several entities that exist.
  ///
  /// - Returns: A handle for each existing entity, in order of the IDs.
  public func handles<Storage: NormalizedStorageType, Entity: EntityType>(
    of ids: some Sequence<EntityIdentifier<Entity>>,
    in path: any KeyPath<State, Storage> & Sendable
  ) -> [EntityHandle<Entity>] {
    ids.compactMap { handle(of: $0, in: path) }
  }

  /// Returns handles of the entities that a batch has inserted.
  ///
  /// - Returns: A handle for each entity, in order of the results.
  public func handles<Storage: NormalizedStorageType, Entity: EntityType>(
    of results: some Sequence<InsertionResult<Entity>>,
    in path: any KeyPath<State, Storage> & Sendable
  ) -> [EntityHandle<Entity>] {
    results.map { handle(of: $0.entity, in: path) }
  }
}
