public import EntiaDatabase

extension StorePart {
  /// Returns an entity of a database in the state as a shape, or `nil` if the database does not
  /// contain the entity.
  ///
  /// ```swift
  /// let page = store.resolve(PostPage.self, of: "p1", in: \.library)
  /// ```
  ///
  /// The store caches the shape and the shapes nested in it. The next call creates again only those
  /// that were created from a row that has changed since.
  ///
  /// The cache exists for the 16 most recently used key paths. It retains the shapes and the
  /// version of the database from which they were created until the next call with the same key
  /// path, even if their rows are removed.
  ///
  /// Tracked by Observation: reading it in a tracked scope observes every change of the database.
  ///
  /// - Parameters:
  ///   - shape: The shape.
  ///   - id: The ID of the entity from which the shape is created.
  ///   - path: The key path of the database in the state.
  /// - Returns: The shape in the current state; inside a commit, in the state before the commit.
  /// - Complexity: O(1) expected if no row that the shape was created from has changed, otherwise
  ///   the cost of creating its changed parts. The first call for a new version adds O(changes ·
  ///   log *n*).
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
