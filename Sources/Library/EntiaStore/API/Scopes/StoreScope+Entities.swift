public import EntiaDatabase

extension StoreScope {
  /// Returns a derived value of one entity of a database in the part, like ``Store/entity(_:in:)``.
  ///
  /// - Returns: A value that is the entity, or `nil` while it does not exist.
  public func entity<Storage: NormalizedStorageType, Entity: EntityType>(
    _ id: EntityIdentifier<Entity>, in database: any KeyPath<State, Storage> & Sendable
  ) -> Derived<Entity?> {
    store.entity(id, in: wholePath(to: database))
  }

  /// Returns a derived value of several entities of a database in the part, like
  /// ``Store/entities(_:in:)``.
  ///
  /// - Returns: A value with the entities in order of the IDs, without missing ones.
  public func entities<Storage: NormalizedStorageType, Entity: EntityType>(
    _ ids: some Sequence<EntityIdentifier<Entity>>,
    in database: any KeyPath<State, Storage> & Sendable
  ) -> Derived<[Entity]> {
    store.entities(ids, in: wholePath(to: database))
  }

  /// Returns a handle of an existing entity, like `Store.handle(of:in:)`.
  ///
  /// - Returns: A handle whose value is never missing, or `nil` if the entity does not exist.
  public func handle<Storage: NormalizedStorageType, Entity: EntityType>(
    of id: EntityIdentifier<Entity>, in database: any KeyPath<State, Storage> & Sendable
  ) -> EntityHandle<Entity>? {
    store.handle(of: id, in: wholePath(to: database))
  }

  /// Returns a handle of a given entity, existing or not, like `Store.handle(of:in:)`.
  ///
  /// - Returns: A handle whose value is never missing.
  public func handle<Storage: NormalizedStorageType, Entity: EntityType>(
    of entity: Entity, in database: any KeyPath<State, Storage> & Sendable
  ) -> EntityHandle<Entity> {
    store.handle(of: entity, in: wholePath(to: database))
  }

  /// Returns handles of several entities that exist, like `Store.handles(of:in:)`.
  ///
  /// - Returns: A handle for each existing entity, in order of the IDs.
  public func handles<Storage: NormalizedStorageType, Entity: EntityType>(
    of ids: some Sequence<EntityIdentifier<Entity>>,
    in database: any KeyPath<State, Storage> & Sendable
  ) -> [EntityHandle<Entity>] {
    store.handles(of: ids, in: wholePath(to: database))
  }

  /// Returns a live query for the entities that match a fetch descriptor, like
  /// ``Store/query(_:in:)``.
  ///
  /// - Returns: A query whose value always equals the result of a fetch.
  public func query<Storage: NormalizedStorageType, Entity: EntityType>(
    _ descriptor: FetchDescriptor<Entity>, in database: any KeyPath<State, Storage> & Sendable
  ) -> LiveQuery<Entity> {
    store.query(descriptor, in: wholePath(to: database))
  }

  /// Returns a derived number of the entities that match a fetch descriptor, like
  /// ``Store/count(_:in:)``.
  ///
  /// - Returns: A number that always equals the result of `fetchCount`.
  public func count<Storage: NormalizedStorageType, Entity: EntityType>(
    _ descriptor: FetchDescriptor<Entity>, in database: any KeyPath<State, Storage> & Sendable
  ) -> Derived<Int> {
    store.count(descriptor, in: wholePath(to: database))
  }
}

extension StoreScope where State: NormalizedStorageType {
  /// Returns a derived value of one entity of the database, like ``Store/entity(_:in:)``.
  ///
  /// - Returns: A value that is the entity, or `nil` while it does not exist.
  public func entity<Entity: EntityType>(_ id: EntityIdentifier<Entity>) -> Derived<Entity?> {
    store.entity(id, in: path)
  }

  /// Returns a derived value of several entities of the database, like ``Store/entities(_:in:)``.
  ///
  /// - Returns: A value with the entities in order of the IDs, without missing ones.
  public func entities<Entity: EntityType>(
    _ ids: some Sequence<EntityIdentifier<Entity>>
  ) -> Derived<[Entity]> {
    store.entities(ids, in: path)
  }

  /// Returns a handle of an existing entity, like `Store.handle(of:in:)`.
  ///
  /// - Returns: A handle whose value is never missing, or `nil` if the entity does not exist.
  public func handle<Entity: EntityType>(of id: EntityIdentifier<Entity>) -> EntityHandle<Entity>? {
    store.handle(of: id, in: path)
  }

  /// Returns a handle of a given entity, existing or not, like `Store.handle(of:in:)`.
  ///
  /// - Returns: A handle whose value is never missing.
  public func handle<Entity: EntityType>(of entity: Entity) -> EntityHandle<Entity> {
    store.handle(of: entity, in: path)
  }

  /// Returns handles of several entities that exist, like `Store.handles(of:in:)`.
  ///
  /// - Returns: A handle for each existing entity, in order of the IDs.
  public func handles<Entity: EntityType>(
    of ids: some Sequence<EntityIdentifier<Entity>>
  ) -> [EntityHandle<Entity>] {
    store.handles(of: ids, in: path)
  }

  /// Returns a derived number of the entities that match a fetch descriptor, like
  /// ``Store/count(_:in:)``.
  ///
  /// - Returns: A number that always equals the result of `fetchCount`.
  public func count<Entity: EntityType>(_ descriptor: FetchDescriptor<Entity>) -> Derived<Int> {
    store.count(descriptor, in: path)
  }

  /// Returns a live query for the entities that match a fetch descriptor, like
  /// ``Store/query(_:in:)``.
  ///
  /// - Returns: A query whose value always equals the result of a fetch.
  public func query<Entity: EntityType>(_ descriptor: FetchDescriptor<Entity>) -> LiveQuery<Entity>
  {
    store.query(descriptor, in: path)
  }
}
