public import EntiaDatabase

extension Store {
  /// Follows one entity of a database in the state, present or missing.
  ///
  /// ```swift
  /// let book = store.entity(Book.EntityID("b1"), in: \.library)
  /// book.sinkState { book in … }                     // woken only by b1
  /// ```
  ///
  /// Its observers are found by what a commit changed: however many there are, one that changes
  /// other rows costs none of them anything. An entity that is missing is waited for. Who reads its
  /// value in a tracking of Observation, such as a view, is told when this row changes.
  ///
  /// - Parameters:
  ///   - id: The entity's ID.
  ///   - path: The key path of the database in the state.
  /// - Returns: A value that is the entity, or `nil` while it does not exist.
  /// - Complexity: O(1) expected; a commit costs what it changed.
  public func entity<Storage: NormalizedStorageType, Entity: EntityType>(
    _ id: EntityIdentifier<Entity>, in path: any KeyPath<State, Storage> & Sendable
  ) -> Derived<Entity?> {
    let rows = core.interest(in: CollectionOfOne(id), at: path)
    return Derived(
      .map { $0[keyPath: path].row(of: id) }, of: RowSource<State>(core.hub, rows),
      tracking: TrackedRows(tracking: core.observation.rows, rows: rows))
  }

  /// Follows several entities of a database in the state.
  ///
  /// Woken by commits that changed one of them, those that were missing included.
  ///
  /// - Parameters:
  ///   - ids: The entities' IDs.
  ///   - path: The key path of the database in the state.
  /// - Returns: A value with the entities in order of the IDs, without missing ones.
  /// - Complexity: O(*k*) expected in the number of IDs.
  public func entities<Storage: NormalizedStorageType, Entity: EntityType>(
    _ ids: some Sequence<EntityIdentifier<Entity>>,
    in path: any KeyPath<State, Storage> & Sendable
  ) -> Derived<[Entity]> {
    let ids = Array(ids)
    let rows = core.interest(in: Set(ids), at: path)
    return Derived(
      .map { state in
        let storage = state[keyPath: path]
        return ids.compactMap { storage.row(of: $0) }
      }, of: RowSource<State>(core.hub, rows),
      tracking: TrackedRows(tracking: core.observation.rows, rows: rows))
  }
}
