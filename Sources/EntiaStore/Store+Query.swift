public import EntiaDatabase

extension Store {
  /// Follows the entities that a description asks for in a database in the state.
  ///
  /// Kept current from what commits change: woken only by commits that changed its table, and then
  /// told only when the result is another. A predicate that compares a field with constants is found
  /// by the values that the changed rows have there: however many such queries there are, those for
  /// other values cost nothing. A description that joins related entities is woken by changes of their
  /// tables too, and then looks at the rows that are related to changed ones.
  ///
  /// - Parameters:
  ///   - descriptor: What to fetch.
  ///   - path: Where in the state the database is.
  /// - Returns: A query whose value is always what a fetch would give.
  /// - Complexity: One fetch when it is first looked at. Then for each commit one evaluation of the
  ///   predicate a changed row, and O(log *k*) comparisons for one of *k* results.
  public func query<Storage: NormalizedStorageType, Entity: EntityType>(
    _ descriptor: FetchDescriptor<Entity>, in path: any KeyPath<State, Storage> & Sendable
  ) -> LiveQuery<Entity> {
    LiveQuery(QueryCore(core, path, descriptor))
  }

  /// Follows how many entities a description asks for, limit and offset included.
  ///
  /// - Parameters:
  ///   - descriptor: What to count.
  ///   - path: Where in the state the database is.
  /// - Returns: A number that is always what `fetchCount` would give; its observers are told only
  ///   when it is another.
  /// - Complexity: As ``query(_:in:)``, without a sort.
  public func count<Storage: NormalizedStorageType, Entity: EntityType>(
    _ descriptor: FetchDescriptor<Entity>, in path: any KeyPath<State, Storage> & Sendable
  ) -> Derived<Int> {
    var descriptor = descriptor
    // The order decides which, not how many.
    descriptor.sortBy = []
    return Derived(.map { $0.count }, of: QueryCore(core, path, descriptor))
  }
}
