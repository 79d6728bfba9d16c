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
    let (core, path) = (store.core, wholePath(to: path))
    let rows = core.observedRows(of: CollectionOfOne(id), at: path)
    let make = {
      DerivedSource(
        source: RowSource<Whole>(core.broadcaster, rows, roots: [.entity(id)]) {
          "\(String(reflecting: id)) in \(pathName(path))"
        },
        transform: { state in state[keyPath: path].row(of: id) })
    }
    let definition = EntityDefinition(id: id, detector: core.detector(at: path))
    return Derived(
      core.definitions?.source(DefinitionID(definition), make: make) ?? make(),
      tracking: TrackedRows(tracking: core.observation.rows, rows: rows))
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
    let (core, ids, path) = (store.core, Array(ids), wholePath(to: path))
    let rows = core.observedRows(of: Set(ids), at: path)
    let make = {
      DerivedSource(
        source: RowSource<Whole>(core.broadcaster, rows, roots: [.entities(ids)]) {
          "\(ids.count) of \(Entity.entityName) in \(pathName(path))"
        },
        transform: { state in
          let storage = state[keyPath: path]
          return ids.compactMap { storage.row(of: $0) }
        })
    }
    let definition = EntityDefinition(id: ids, detector: core.detector(at: path))
    return Derived(
      core.definitions?.source(DefinitionID(definition), make: make) ?? make(),
      tracking: TrackedRows(tracking: core.observation.rows, rows: rows))
  }
}

/// The identity of a derived value of one row or of several rows. Derived values with equal
/// identities share one source.
private struct EntityDefinition<ID: Hashable & Sendable>: Hashable, Sendable {
  let id: ID
  let detector: DatabaseChangeDetector

  static func == (lhs: EntityDefinition, rhs: EntityDefinition) -> Bool {
    lhs.id == rhs.id && lhs.detector === rhs.detector
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(ObjectIdentifier(detector))
  }
}
