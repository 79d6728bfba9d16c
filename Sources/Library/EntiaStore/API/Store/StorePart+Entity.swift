public import EntiaDatabase

extension StorePart {
  /// Returns a derived value of one entity of a database in the state. The entity need not exist.
  ///
  /// ```swift
  /// let book = store.entity(Book.EntityID("b1"), in: \.library)
  /// book.sinkState { book in … }                     // notified only of b1
  /// ```
  ///
  /// Observers are looked up by the changed rows of a commit. Observers of other rows add no cost
  /// to the commit, regardless of their number. If the entity is missing, its insertion is
  /// observed. Tracked by Observation: a tracked scope that reads the value, such as a view, is
  /// notified when this row changes. Values of the same row share one computation.
  ///
  /// - Parameters:
  ///   - id: The entity's ID.
  ///   - path: The key path of the database in the state.
  /// - Returns: A value that is the entity, or `nil` while it does not exist.
  /// - Precondition: The key path can be read in every state of the store, like a key path of
  ///   stored properties. For a database in a collection, declare a subscript of the state that
  ///   returns an empty database for a missing element. The key path `\.shops[999]` does not
  ///   suffice, because reading it fails after the removal of the element with the index 999.
  /// - Complexity: O(1) expected. The cost of a commit is proportional to its changes.
  public func entity<Storage: NormalizedStorageType, Entity: EntityType>(
    _ id: EntityIdentifier<Entity>, in path: any KeyPath<State, Storage> & Sendable
  ) -> Derived<Entity?> {
    rows(
      id, [id], in: wholePath(to: path), as: .entity(id), describe: { String(reflecting: id) },
      read: { $0.row(of: id) })
  }

  /// Returns a derived value of several entities of a database in the state.
  ///
  /// Observers are notified of commits that changed, inserted or removed one of the entities.
  ///
  /// - Parameters:
  ///   - ids: The entities' IDs.
  ///   - path: The key path of the database in the state, as in ``entity(_:in:)``.
  /// - Returns: A value with the entities in order of the IDs, without missing ones.
  /// - Complexity: O(*k*) expected, where *k* is the number of IDs.
  public func entities<Storage: NormalizedStorageType, Entity: EntityType>(
    _ ids: some Sequence<EntityIdentifier<Entity>>,
    in path: any KeyPath<State, Storage> & Sendable
  ) -> Derived<[Entity]> {
    let ids = Array(ids)
    return rows(
      ids, Set(ids), in: wholePath(to: path), as: .entities(ids),
      describe: { "\(ids.count) of \(Entity.entityName)" },
      read: { storage in ids.compactMap { storage.row(of: $0) } })
  }

  /// Returns a derived value of some rows. Values with equal definitions share one source.
  private func rows<Storage: NormalizedStorageType, Entity: EntityType, Value: Sendable>(
    _ definition: any Hashable & Sendable, _ ids: Set<EntityIdentifier<Entity>>,
    in path: any KeyPath<Whole, Storage> & Sendable, as root: CollectionRoot,
    describe: @escaping @Sendable () -> String, read: @escaping @Sendable (Storage) -> Value
  ) -> Derived<Value> {
    let core = store.core
    let rows = core.observedRows(of: ids, at: path)
    let id = DefinitionID(definition, ObjectIdentifier(core.detector(at: path)))
    let source = core.shared(id) {
      DerivedSource(
        source: RowSource<Whole>(core.broadcaster, rows, roots: [root]) {
          "\(describe()) in \(pathName(path))"
        }, .map { read($0[keyPath: path]) })
    }
    return Derived(source, tracking: TrackedRows(tracking: core.observation.rows, rows: rows))
  }
}
