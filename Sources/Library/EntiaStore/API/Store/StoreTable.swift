public import EntiaDatabase

/// The rows of one entity type in a database of a store. Its methods observe and fetch rows without
/// the key path of the database.
///
/// ```swift
/// let books = store.table(Book.self, in: \.library)
/// books.entity("b1")                               // Derived<Book?>
/// books.query(FetchDescriptor { $0.year > 1999 })  // LiveQuery<Book>
/// ```
///
/// A table retains the store.
public struct StoreTable<State: Sendable, Activity: Sendable, Storage, Entity>: Sendable
where Storage: NormalizedStorageType, Entity: EntityType {
  let store: Store<State, Activity>
  let path: any KeyPath<State, Storage> & Sendable

  /// Returns a derived value of one entity, like ``Store/entity(_:in:)``.
  ///
  /// - Parameter id: The entity's ID.
  /// - Returns: A value that always equals the entity, or `nil` while the table does not contain
  ///   it.
  public func entity(_ id: Entity.EntityID) -> Derived<Entity?> { store.entity(id, in: path) }

  /// Returns a derived value of several entities, like ``Store/entities(_:in:)``.
  ///
  /// - Parameter ids: The entities' IDs.
  /// - Returns: A value that always equals the entities in the order of the IDs, without the
  ///   missing ones.
  public func entities(_ ids: some Sequence<Entity.EntityID>) -> Derived<[Entity]> {
    store.entities(ids, in: path)
  }

  /// Returns a handle of an existing entity, like `Store.handle(of:in:)`.
  ///
  /// - Parameter id: The entity's ID.
  /// - Returns: A handle whose value is never missing; `nil` if the table does not contain the
  ///   entity.
  public func handle(of id: Entity.EntityID) -> EntityHandle<Entity>? {
    store.handle(of: id, in: path)
  }

  /// Returns a live query for the entities that match a fetch descriptor, like
  /// ``Store/query(_:in:)``.
  ///
  /// - Parameter descriptor: The fetch descriptor; by default, it matches every entity.
  /// - Returns: A query whose value always equals the result of a fetch.
  public func query(
    _ descriptor: FetchDescriptor<Entity> = FetchDescriptor()
  ) -> LiveQuery<Entity> {
    store.query(descriptor, in: path)
  }

  /// Returns a derived number of the entities that match a fetch descriptor, like
  /// ``Store/count(_:in:)``.
  ///
  /// - Parameter descriptor: The fetch descriptor; by default, it matches every entity.
  /// - Returns: A number that always equals the result of `fetchCount`.
  public func count(_ descriptor: FetchDescriptor<Entity> = FetchDescriptor()) -> Derived<Int> {
    store.count(descriptor, in: path)
  }

  /// Returns an entity of the current state.
  ///
  /// Tracked by Observation: reading it in a tracked scope observes the changes of this row only.
  ///
  /// - Parameter id: The entity's ID.
  /// - Returns: The entity, or `nil` if the table does not contain it.
  /// - Complexity: O(1) expected.
  public func find(by id: Entity.EntityID) -> Entity? {
    store.core.registerRead(id, at: path)
    return store.core.current.value[keyPath: path].row(of: id)
  }
}

extension StorePart {
  /// Returns the rows of one entity type in a database in the state.
  ///
  /// - Parameters:
  ///   - entity: The type of the rows.
  ///   - path: The key path of the database in the state.
  /// - Returns: The rows, which can be observed by ID or by a query.
  public func table<Storage: NormalizedStorageType, Entity: EntityType>(
    _ entity: Entity.Type, in path: any KeyPath<State, Storage> & Sendable
  ) -> StoreTable<Whole, Activity, Storage, Entity> {
    StoreTable(store: store, path: wholePath(to: path))
  }
}
