public import EntiaDatabase

extension StorePart where State: NormalizedStorageType {
  /// Returns a derived value of one entity of the database, like ``Store/entity(_:in:)``.
  ///
  /// - Returns: A value that is the entity, or `nil` while it does not exist.
  public func entity<Entity: EntityType>(_ id: EntityIdentifier<Entity>) -> Derived<Entity?> {
    entity(id, in: \.self)
  }

  /// Returns a derived value of several entities of the database, like ``Store/entities(_:in:)``.
  ///
  /// - Returns: A value with the entities in order of the IDs, without missing ones.
  public func entities<Entity: EntityType>(
    _ ids: some Sequence<EntityIdentifier<Entity>>
  ) -> Derived<[Entity]> {
    entities(ids, in: \.self)
  }

  /// Returns a handle of an existing entity, like `Store.handle(of:in:)`.
  ///
  /// - Returns: A handle whose value is never missing, or `nil` if the entity does not exist.
  public func handle<Entity: EntityType>(of id: EntityIdentifier<Entity>) -> EntityHandle<Entity>? {
    handle(of: id, in: \.self)
  }

  /// Returns a handle of a given entity, existing or not, like `Store.handle(of:in:)`.
  ///
  /// - Returns: A handle whose value is never missing.
  public func handle<Entity: EntityType>(of entity: Entity) -> EntityHandle<Entity> {
    handle(of: entity, in: \.self)
  }

  /// Returns handles of several entities that exist, like `Store.handles(of:in:)`.
  ///
  /// - Returns: A handle for each existing entity, in order of the IDs.
  public func handles<Entity: EntityType>(
    of ids: some Sequence<EntityIdentifier<Entity>>
  ) -> [EntityHandle<Entity>] {
    handles(of: ids, in: \.self)
  }

  /// Returns a derived number of the entities that match a fetch descriptor, like
  /// ``Store/count(_:in:)``.
  ///
  /// - Returns: A number that always equals the result of `fetchCount`.
  public func count<Entity: EntityType>(_ descriptor: FetchDescriptor<Entity>) -> Derived<Int> {
    count(descriptor, in: \.self)
  }

  /// Returns a live query for the entities that match a fetch descriptor, like
  /// ``Store/query(_:in:)``.
  ///
  /// - Returns: A query whose value always equals the result of a fetch.
  public func query<Entity: EntityType>(_ descriptor: FetchDescriptor<Entity>) -> LiveQuery<Entity>
  {
    query(descriptor, in: \.self)
  }
}
