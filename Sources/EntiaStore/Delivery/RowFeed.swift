import EntiaCollections
import EntiaDatabase

/// A database in a store's state, independent of its type.
final class RowFeed: Sendable {
  /// The difference of the database between two versions of the state.
  struct Changes: Sendable {
    /// The keys of the changed rows, under which observers may be registered.
    let keys: [RowKey]
    /// The change set. The observers know its type.
    let changeSet: any Sendable
  }

  /// A field whose values index the queries that filter by it.
  private struct Route: Sendable {
    let entity: ObjectIdentifier
    let isPath: @Sendable (AnyKeyPath) -> Bool
    /// The hashes of the field's values in the changed rows.
    let hashes: @Sendable (_ changeSet: any Sendable, _ new: AnySnapshot) -> Set<Int>
  }

  private let routes = Protected<[Route]>([])
  private let compare: @Sendable (_ old: AnySnapshot, _ new: AnySnapshot) -> Compared

  private struct Compared {
    let changeSet: any Sendable
    let rows: [ChangedRows]
    let isEmpty: Bool
  }

  init<State: Sendable, Storage: NormalizedStorageType>(
    _ path: any KeyPath<State, Storage> & Sendable
  ) {
    compare = { old, new in
      let before = old.of(State.self).value[keyPath: path]
      let changes = new.of(State.self).value[keyPath: path].changes(since: before)
      return Compared(changeSet: changes, rows: changes.changedRows, isEmpty: changes.isEmpty)
    }
  }

  func changes(from old: AnySnapshot, to new: AnySnapshot) -> Changes {
    let compared = compare(old, new)
    let feed = ObjectIdentifier(self)
    let routes = routes.withLock { $0 }
    var keys: [RowKey] = []
    keys.reserveCapacity(1 + compared.rows.reduce(0) { $0 + 1 + $1.idHashes.count + routes.count })
    if !compared.isEmpty { keys.append(.database(feed: feed)) }
    for rows in compared.rows {
      keys.append(.table(feed: feed, entity: rows.entity))
      for hash in rows.idHashes {
        keys.append(.row(feed: feed, entity: rows.entity, idHash: hash))
      }
      for (number, route) in routes.enumerated() where route.entity == rows.entity {
        for hash in route.hashes(compared.changeSet, new) {
          keys.append(.field(feed: feed, entity: rows.entity, route: number, valueHash: hash))
        }
      }
    }
    return Changes(keys: keys, changeSet: compared.changeSet)
  }

  /// Returns the keys for observers of the rows with certain values in a field.
  func keys<State: Sendable, Storage: NormalizedStorageType, Entity: EntityType>(
    of route: LiveRoute<Entity>, at path: any KeyPath<State, Storage> & Sendable
  ) -> [RowKey] {
    let entity = ObjectIdentifier(Entity.self)
    let number = number(
      of: Route(
        entity: entity, isPath: { $0 == route.path },
        hashes: { changeSet, new in
          guard let changes = changeSet as? StorageChangeSet<Storage> else { return [] }
          return route.hashes(of: changes, in: new.of(State.self).value[keyPath: path])
        }), path: route.path)
    return route.hashes.map {
      .field(feed: ObjectIdentifier(self), entity: entity, route: number, valueHash: $0)
    }
  }

  /// Returns the key for observers of a row, present or missing.
  func key<Entity: EntityType>(of id: EntityIdentifier<Entity>) -> RowKey {
    .row(feed: ObjectIdentifier(self), entity: ObjectIdentifier(Entity.self), idHash: id.tableHash)
  }

  /// Returns the key for observers of the rows that refer to an entity.
  func key<State: Sendable, Storage: NormalizedStorageType, Relationship: RelationshipType>(
    ofHoldersOf target: Relationship.Target.EntityID,
    _ relationship: any KeyPath<Storage.Contents, Relationship> & Sendable,
    at path: any KeyPath<State, Storage> & Sendable
  ) -> RowKey {
    let entity = ObjectIdentifier(Relationship.Holder.self)
    let number = number(
      of: Route(
        entity: entity, isPath: { $0 == relationship },
        hashes: { changeSet, new in
          guard let changes = changeSet as? StorageChangeSet<Storage> else { return [] }
          let storage = new.of(State.self).value[keyPath: path]
          let links = storage.snapshot.contents[keyPath: relationship]
          let rows = changes.changes(of: Relationship.Holder.self)
          let holders =
            rows.inserted + rows.removed + rows.updated.flatMap { [$0.old, $0.new] }
          return Set(holders.flatMap { links.targetIDs(of: $0).map(\.hashValue) })
        }), path: relationship)
    return .field(
      feed: ObjectIdentifier(self), entity: entity, route: number, valueHash: target.hashValue)
  }

  /// Returns the number of a route: always the same for one field.
  private func number(of route: Route, path: AnyKeyPath) -> Int {
    while true {
      let known = routes.withLock { $0 }
      // Comparing key paths may run user code, so it happens without the lock.
      if let number = known.firstIndex(where: { $0.entity == route.entity && $0.isPath(path) }) {
        return number
      }
      let isAdded = routes.withLock { routes in
        guard routes.count == known.count else { return false }
        routes.append(route)
        return true
      }
      if isAdded { return known.count }
    }
  }
}
