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
  ///   - path: The key path of the database in the state.
  /// - Returns: A query whose value always equals the result of a fetch.
  /// - Complexity: One fetch when it is first looked at. Then for each commit one evaluation of the
  ///   predicate a changed row, and O(log *k*) comparisons for one of *k* results.
  public func query<Storage: NormalizedStorageType, Entity: EntityType>(
    _ descriptor: FetchDescriptor<Entity>, in path: any KeyPath<State, Storage> & Sendable
  ) -> LiveQuery<Entity> {
    LiveQuery(core.query(descriptor, in: path))
  }

  /// Follows how many entities a description asks for, limit and offset included.
  ///
  /// - Parameters:
  ///   - descriptor: What to count.
  ///   - path: The key path of the database in the state.
  /// - Returns: A number that is always what `fetchCount` would give; its observers are told only
  ///   when it is another.
  /// - Complexity: As ``query(_:in:)``, without a sort and without keeping the entities.
  public func count<Storage: NormalizedStorageType, Entity: EntityType>(
    _ descriptor: FetchDescriptor<Entity>, in path: any KeyPath<State, Storage> & Sendable
  ) -> Derived<Int> {
    Derived(core.count(descriptor.unsorted, in: path))
  }

  /// A part of the state of this name is read from the state.
  @available(
    *, unavailable,
    message: "'count' is a method of the store; read a part of that name as 'store.state.count'"
  )
  public var count: Int { 0 }
}

/// What queries have in common that ask the same of one database.
private struct QueryDefinition: Hashable, Sendable {
  let path: any AnyKeyPath & Sendable
  let fetch: DefinitionID

  static func == (lhs: QueryDefinition, rhs: QueryDefinition) -> Bool {
    lhs.path == rhs.path && lhs.fetch == rhs.fetch
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(path)
    hasher.combine(fetch)
  }
}

extension StoreCore {
  /// Returns a query: the one that is held already, where it is known to ask the same.
  fileprivate func query<Storage: NormalizedStorageType, Entity: EntityType>(
    _ descriptor: FetchDescriptor<Entity>, in path: any KeyPath<State, Storage> & Sendable
  ) -> QueryCore<State, Storage, Entity> {
    shared(descriptor, path) {
      QueryCore<State, Storage, Entity>(hub, feed(at: path), path, descriptor)
    }
  }

  /// Returns a query for a number: the one that is held already, where it is known to ask the same.
  fileprivate func count<Storage: NormalizedStorageType, Entity: EntityType>(
    _ descriptor: FetchDescriptor<Entity>, in path: any KeyPath<State, Storage> & Sendable
  ) -> CountCore<State, Storage, Entity> {
    shared(descriptor, path) {
      CountCore<State, Storage, Entity>(hub, feed(at: path), path, descriptor)
    }
  }

  private func shared<Source: AnyObject & Sendable, Entity: EntityType>(
    _ descriptor: FetchDescriptor<Entity>, _ path: any AnyKeyPath & Sendable,
    make: () -> Source
  ) -> Source {
    guard let definitions, let fetch = descriptor.definition else { return make() }
    let definition = QueryDefinition(path: path, fetch: DefinitionID(fetch))
    return definitions.source(DefinitionID(definition), make: make)
  }
}
