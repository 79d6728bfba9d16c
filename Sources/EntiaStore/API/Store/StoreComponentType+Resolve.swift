public import EntiaDatabase

extension StoreComponentType {
  /// Returns an entity of a database in the state as a shape, or `nil` when there is no such
  /// entity.
  ///
  /// ```swift
  /// let page = store.resolve(PostPage.self, of: "p1", in: \.library)
  /// ```
  ///
  /// The store remembers the shape and the shapes nested in it across commits, and creates again
  /// only those whose own rows have changed since.
  ///
  /// For each of the 16 key paths that were used last, it keeps the shapes that were resolved and
  /// the version of the database that they were created from: until the next call for this key path
  /// replaces those that have changed, also if their rows are removed meanwhile.
  ///
  /// Tracked by Observation: reading it in a tracked scope observes every change of the database.
  ///
  /// - Parameters:
  ///   - shape: The shape.
  ///   - id: The ID of the entity that it begins with.
  ///   - path: The place of the database in the state.
  /// - Returns: The shape of the current version; inside a commit, of the version before it.
  /// - Complexity: O(1) expected when nothing that the shape was created from has changed, else
  ///   what creating its changed parts takes; and O(changes · log *n*) once for each new version.
  public func resolve<Storage: NormalizedStorageType, Shape: EntityShape>(
    _ shape: Shape.Type, of id: Shape.Entity.EntityID,
    in path: any KeyPath<State, Storage> & Sendable
  ) -> Shape? where Shape.Storage == Storage {
    let core = store.core
    core.observation.willRead(path)
    let current = core.current
    return core.resolvers(at: path).withResolver(reading: current.version) {
      $0.resolve(shape, of: id, in: current.value[keyPath: path])
    }
  }

  /// Returns entities of a database in the state as shapes, in the order of the IDs, without those
  /// that are missing.
  ///
  /// The shapes are remembered as by the method for one entity.
  ///
  /// - Parameters:
  ///   - shape: The shape.
  ///   - ids: The IDs of the entities that the shapes begin with.
  ///   - path: The place of the database in the state.
  /// - Returns: The shapes, all of one version.
  /// - Complexity: That of resolving each.
  public func resolve<Storage: NormalizedStorageType, Shape: EntityShape>(
    _ shape: Shape.Type, of ids: some Sequence<Shape.Entity.EntityID>,
    in path: any KeyPath<State, Storage> & Sendable
  ) -> [Shape] where Shape.Storage == Storage {
    let core = store.core
    core.observation.willRead(path)
    let current = core.current
    return core.resolvers(at: path).withResolver(reading: current.version) {
      $0.resolve(shape, of: ids, in: current.value[keyPath: path])
    }
  }
}
