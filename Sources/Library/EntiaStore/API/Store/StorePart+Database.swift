public import EntiaDatabase

extension StorePart where State: NormalizedStorageType {
  /// Returns a derived value of one entity of the database, like ``Store/entity(_:in:)``.
  ///
  /// - Returns: A value that is the entity, or `nil` while it does not exist.
  public func entity<Entity: EntityType>(_ id: EntityIdentifier<Entity>) -> Derived<Entity?> {
    entity(id, in: \.self)
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

extension StorePart {
  /// Returns an entity of a database in the state as a shape, or `nil` if the database does not
  /// contain the entity.
  ///
  /// ```swift
  /// let page = store.resolve(PostPage.self, of: "p1", in: \.library)
  /// ```
  ///
  /// The store caches the shape and the shapes nested in it. The next call creates a cached shape
  /// again only if one of its rows has changed since.
  ///
  /// There is a cache for each of the 16 most recently used key paths. Until the next call with its
  /// key path, a cache retains its shapes and the version of the database from which they were
  /// created, even if their rows are removed.
  ///
  /// Tracked by Observation: reading it in a tracked scope observes every change of the database.
  ///
  /// - Parameters:
  ///   - shape: The shape.
  ///   - id: The ID of the entity from which the shape is created.
  ///   - path: The key path of the database in the state.
  /// - Returns: The shape in the current state; inside a commit, in the state before the commit.
  /// - Complexity: O(1) expected if no row of the shape has changed, otherwise the cost of creating
  ///   its changed parts. The first call for a new version adds O(changes · log *n*).
  public func resolve<Storage: NormalizedStorageType, Shape: EntityShape>(
    _ shape: Shape.Type, of id: Shape.Entity.EntityID,
    in path: any KeyPath<State, Storage> & Sendable
  ) -> Shape? where Shape.Storage == Storage {
    let (core, path) = (store.core, wholePath(to: path))
    core.observation.registerRead(path)
    let current = core.current
    return core.resolvers(at: path).withResolver(reading: current.version) {
      $0.resolve(shape, of: id, in: current.value[keyPath: path])
    }
  }

  /// Returns entities of a database in the state as shapes, in the order of the IDs, without the
  /// missing ones.
  ///
  /// The shapes are cached like those of the method for one entity.
  ///
  /// - Parameters:
  ///   - shape: The shape.
  ///   - ids: The IDs of the entities from which the shapes are created.
  ///   - path: The key path of the database in the state.
  /// - Returns: The shapes, all of one version.
  /// - Complexity: The sum of the costs for each entity.
  public func resolve<Storage: NormalizedStorageType, Shape: EntityShape>(
    _ shape: Shape.Type, of ids: some Sequence<Shape.Entity.EntityID>,
    in path: any KeyPath<State, Storage> & Sendable
  ) -> [Shape] where Shape.Storage == Storage {
    let (core, path) = (store.core, wholePath(to: path))
    core.observation.registerRead(path)
    let current = core.current
    return core.resolvers(at: path).withResolver(reading: current.version) {
      $0.resolve(shape, of: ids, in: current.value[keyPath: path])
    }
  }
}
