public import EntiaDatabase

extension StoreComponentType {
  /// Returns a live query for the entities that match a fetch descriptor in a database in the
  /// state.
  ///
  /// The query is updated incrementally: only commits that changed its table are evaluated, and its
  /// observers are notified only if the result has changed. A predicate that compares a field with
  /// constants is looked up by the field's values in the changed rows: queries for other values
  /// have no cost, regardless of their number. A descriptor that joins related entities is also
  /// evaluated after changes of their tables, for the rows related to changed ones.
  ///
  /// - Parameters:
  ///   - descriptor: The fetch descriptor.
  ///   - path: The key path of the database in the state, as in ``entity(_:in:)``.
  /// - Returns: A query whose value always equals the result of a fetch.
  /// - Complexity: One fetch when it is first read. Then for each commit one evaluation of the
  ///   predicate for each changed row, and O(log *k*) comparisons for each changed one of *k*
  ///   results. With a sort and a limit, one comparison for each changed row that sorts after the
  ///   loaded rows, if raw IDs are `Comparable`.
  @inlinable
  public func query<Storage: NormalizedStorageType, Entity: EntityType>(
    _ descriptor: FetchDescriptor<Entity>, in path: any KeyPath<State, Storage> & Sendable
  ) -> LiveQuery<Entity> {
    query(descriptor, in: path, DifferingRows(Storage.self, Entity.self))
  }

  @usableFromInline
  func query<Storage: NormalizedStorageType, Entity: EntityType>(
    _ descriptor: FetchDescriptor<Entity>, in path: any KeyPath<State, Storage> & Sendable,
    _ rows: DifferingRows<Storage, Entity>
  ) -> LiveQuery<Entity> {
    LiveQuery(store.core.query(descriptor, in: path, rows))
  }

  /// Returns a derived number of the entities that match a fetch descriptor, including its limit
  /// and offset.
  ///
  /// - Parameters:
  ///   - descriptor: The fetch descriptor.
  ///   - path: The key path of the database in the state, as in ``entity(_:in:)``.
  /// - Returns: A number that always equals the result of `fetchCount`. Its observers are notified
  ///   only if the number has changed.
  /// - Complexity: The same as ``query(_:in:)``, without a sort and without storing the entities.
  @inlinable
  public func count<Storage: NormalizedStorageType, Entity: EntityType>(
    _ descriptor: FetchDescriptor<Entity>, in path: any KeyPath<State, Storage> & Sendable
  ) -> Derived<Int> {
    count(descriptor, in: path, DifferingRows(Storage.self, Entity.self))
  }

  @usableFromInline
  func count<Storage: NormalizedStorageType, Entity: EntityType>(
    _ descriptor: FetchDescriptor<Entity>, in path: any KeyPath<State, Storage> & Sendable,
    _ rows: DifferingRows<Storage, Entity>
  ) -> Derived<Int> {
    Derived(store.core.count(descriptor.unsorted, in: path, rows))
  }
}
