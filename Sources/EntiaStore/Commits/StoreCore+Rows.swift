import EntiaDatabase

extension StoreCore {
  /// Returns the feed of a database in the state.
  func feed<Storage: NormalizedStorageType>(
    at path: any KeyPath<State, Storage> & Sendable
  ) -> RowFeed {
    feeds.element(
      where: { $0.path == path },
      make: { _ in
        databases.add(path)
        return RowFeed(path)
      })
  }

  /// Registers with Observation a read of a row, which follows.
  func willRead<Storage: NormalizedStorageType, Entity: EntityType>(
    _ id: EntityIdentifier<Entity>, at path: any KeyPath<State, Storage> & Sendable
  ) {
    let rows = observation.rows
    guard rows.isNoted else { return }
    _ = rows.willRead(interest(in: CollectionOfOne(id), at: path))
  }

  /// Returns the interest of an observer of some rows.
  func interest<Storage: NormalizedStorageType, Entity: EntityType>(
    in ids: some Sequence<EntityIdentifier<Entity>>,
    at path: any KeyPath<State, Storage> & Sendable
  ) -> RowAudience.Interest {
    let feed = feed(at: path)
    return RowAudience.Interest(feeds: [feed], keys: ids.map { feed.key(of: $0) })
  }
}
