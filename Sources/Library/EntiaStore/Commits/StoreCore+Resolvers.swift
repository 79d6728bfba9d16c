import EntiaDatabase

extension StoreCore {
  /// The resolvers of a database in the state.
  func resolvers<Storage: NormalizedStorageType>(
    at path: any KeyPath<State, Storage> & Sendable
  ) -> ResolverPool<Storage> {
    let pool = resolvers.value(at: path) { ResolverPool<Storage>() }
    // Equal key paths lead to values of one type.
    return pool as? ResolverPool<Storage> ?? ResolverPool()
  }
}
