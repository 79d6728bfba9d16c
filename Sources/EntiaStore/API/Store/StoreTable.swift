public import EntiaDatabase

/// The rows of one entity type in a database of a store: followed without naming the database
/// again.
///
/// ```swift
/// let books = store.table(Book.self, in: \.library)
/// books.entity("b1")                               // Derived<Book?>
/// books.query(FetchDescriptor { $0.year > 1999 })  // LiveQuery<Book>
/// ```
///
/// It holds the store.
public struct StoreTable<State: Sendable, Activity: Sendable, Storage, Entity>: Sendable
where Storage: NormalizedStorageType, Entity: EntityType {
  let store: Store<State, Activity>
  let path: any KeyPath<State, Storage> & Sendable

  /// Follows one entity, as ``Store/entity(_:in:)`` does.
  ///
  /// - Parameter id: The entity's ID.
  /// - Returns: A value that is the entity, or `nil` while there is none.
  public func entity(_ id: Entity.EntityID) -> Derived<Entity?> { store.entity(id, in: path) }

  /// Follows several entities, as ``Store/entities(_:in:)`` does.
  ///
  /// - Parameter ids: The entities' IDs.
  /// - Returns: A value that is the entities in the order of the IDs, without those that are
  ///   missing.
  public func entities(_ ids: some Sequence<Entity.EntityID>) -> Derived<[Entity]> {
    store.entities(ids, in: path)
  }

  /// Follows an entity that is there now, as ``Store/handle(of:in:)`` does.
  ///
  /// - Parameter id: The entity's ID.
  /// - Returns: A handle whose value is never missing; `nil` when there is no such entity now.
  public func handle(of id: Entity.EntityID) -> EntityHandle<Entity>? {
    store.handle(of: id, in: path)
  }

  /// Follows the entities that a description asks for, as ``Store/query(_:in:)`` does.
  ///
  /// - Parameter descriptor: What to fetch; every entity, when none is given.
  /// - Returns: A query whose value is always what a fetch would return.
  public func query(
    _ descriptor: FetchDescriptor<Entity> = FetchDescriptor()
  ) -> LiveQuery<Entity> {
    store.query(descriptor, in: path)
  }

  /// Follows the number of entities that a description asks for, as ``Store/count(_:in:)`` does.
  ///
  /// - Parameter descriptor: What to count; every entity, when none is given.
  /// - Returns: A number that is always what `fetchCount` would return.
  public func count(_ descriptor: FetchDescriptor<Entity> = FetchDescriptor()) -> Derived<Int> {
    store.count(descriptor, in: path)
  }

  /// Looks up an entity in the current state.
  ///
  /// Tracked by Observation: reading it in a tracked scope observes the next change of this row.
  ///
  /// - Parameter id: The entity's ID.
  /// - Returns: The entity, or `nil` when there is none.
  /// - Complexity: O(1) expected.
  public func find(by id: Entity.EntityID) -> Entity? {
    store.core.willRead(id, at: path)
    return store.core.current.value[keyPath: path].row(of: id)
  }
}

extension StoreComponentType {
  /// The rows of one entity type in a database in the state.
  ///
  /// - Parameters:
  ///   - entity: The type of the rows.
  ///   - path: Where in the state the database is.
  /// - Returns: The rows, to be followed by their IDs or by queries.
  public func table<Storage: NormalizedStorageType, Entity: EntityType>(
    _ entity: Entity.Type, in path: any KeyPath<State, Storage> & Sendable
  ) -> StoreTable<State, Activity, Storage, Entity> {
    StoreTable(store: store, path: path)
  }
}

extension StoreComponentType where State: NormalizedStorageType {
  /// The rows of one entity type in the database that the state is.
  ///
  /// - Parameter entity: The type of the rows.
  /// - Returns: The rows, to be followed by their IDs or by queries.
  public func table<Entity: EntityType>(
    _ entity: Entity.Type
  ) -> StoreTable<State, Activity, State, Entity> {
    StoreTable(store: store, path: \.self)
  }
}

extension StoreScope {
  /// The rows of one entity type in a database in the part.
  ///
  /// - Parameters:
  ///   - entity: The type of the rows.
  ///   - path: Where in the part the database is.
  /// - Returns: The rows, to be followed by their IDs or by queries.
  public func table<Storage: NormalizedStorageType, Entity: EntityType>(
    _ entity: Entity.Type, in path: any KeyPath<State, Storage> & Sendable
  ) -> StoreTable<Whole, Activity, Storage, Entity> {
    StoreTable(store: store, path: wholePath(to: path))
  }
}

extension StoreScope where State: NormalizedStorageType {
  /// The rows of one entity type in the database that the part is.
  ///
  /// - Parameter entity: The type of the rows.
  /// - Returns: The rows, to be followed by their IDs or by queries.
  public func table<Entity: EntityType>(
    _ entity: Entity.Type
  ) -> StoreTable<Whole, Activity, State, Entity> {
    StoreTable(store: store, path: path)
  }
}
