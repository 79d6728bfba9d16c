public import EntiaDatabase

extension StoreScope {
  /// Follows one entity of a database in the part, as ``Store/entity(_:in:)`` does.
  ///
  /// - Returns: A value that is the entity, or `nil` while there is none.
  public func entity<Storage: NormalizedStorageType, Entity: EntityType>(
    _ id: EntityIdentifier<Entity>, in database: any KeyPath<State, Storage> & Sendable
  ) -> Derived<Entity?> {
    store.entity(id, in: wholePath(to: database))
  }

  /// Follows several entities of a database in the part, as ``Store/entities(_:in:)`` does.
  ///
  /// - Returns: A value that is the entities in the order of the IDs, without those that are missing.
  public func entities<Storage: NormalizedStorageType, Entity: EntityType>(
    _ ids: some Sequence<EntityIdentifier<Entity>>,
    in database: any KeyPath<State, Storage> & Sendable
  ) -> Derived<[Entity]> {
    store.entities(ids, in: wholePath(to: database))
  }

  /// Follows an entity that is there now, as ``Store/handle(of:in:)`` does.
  ///
  /// - Returns: A handle whose value is never missing; `nil` when there is no such entity now.
  public func handle<Storage: NormalizedStorageType, Entity: EntityType>(
    of id: EntityIdentifier<Entity>, in database: any KeyPath<State, Storage> & Sendable
  ) -> EntityHandle<Entity>? {
    store.handle(of: id, in: wholePath(to: database))
  }

  /// Follows the entities that a description asks for, as ``Store/query(_:in:)`` does.
  ///
  /// - Returns: A query whose value is always what a fetch would give.
  public func query<Storage: NormalizedStorageType, Entity: EntityType>(
    _ descriptor: FetchDescriptor<Entity>, in database: any KeyPath<State, Storage> & Sendable
  ) -> LiveQuery<Entity> {
    store.query(descriptor, in: wholePath(to: database))
  }

  /// Follows how many entities a description asks for, as ``Store/count(_:in:)`` does.
  ///
  /// - Returns: A number that is always what `fetchCount` would give.
  public func count<Storage: NormalizedStorageType, Entity: EntityType>(
    _ descriptor: FetchDescriptor<Entity>, in database: any KeyPath<State, Storage> & Sendable
  ) -> Derived<Int> {
    store.count(descriptor, in: wholePath(to: database))
  }
}

extension StoreScope where State: NormalizedStorageType {
  /// Follows one entity of the database, as ``Store/entity(_:in:)`` does.
  ///
  /// - Returns: A value that is the entity, or `nil` while there is none.
  public func entity<Entity: EntityType>(_ id: EntityIdentifier<Entity>) -> Derived<Entity?> {
    store.entity(id, in: path)
  }

  /// Follows the entities that a description asks for, as ``Store/query(_:in:)`` does.
  ///
  /// - Returns: A query whose value is always what a fetch would give.
  public func query<Entity: EntityType>(_ descriptor: FetchDescriptor<Entity>) -> LiveQuery<Entity>
  {
    store.query(descriptor, in: path)
  }
}
