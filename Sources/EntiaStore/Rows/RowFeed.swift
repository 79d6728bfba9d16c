import EntiaDatabase

/// A database in a store's state, for the parts of the store that do not know its type.
final class RowFeed: Sendable {
  /// How the database differs between two versions of the state.
  struct Changes: Sendable {
    /// Under which keys there may be observers of what changed.
    let keys: [RowKey]
    /// The change set, whose type the observers know.
    let changeSet: any Sendable
  }

  private let compare: @Sendable (RowFeed, _ old: AnySnapshot, _ new: AnySnapshot) -> Changes

  init<State: Sendable, Storage: NormalizedStorageType>(
    _ path: any KeyPath<State, Storage> & Sendable
  ) {
    compare = { feed, old, new in
      let before = old.of(State.self).value[keyPath: path]
      let changes = new.of(State.self).value[keyPath: path].changes(since: before)
      return Changes(keys: Self.keys(of: changes, in: ObjectIdentifier(feed)), changeSet: changes)
    }
  }

  func changes(from old: AnySnapshot, to new: AnySnapshot) -> Changes {
    compare(self, old, new)
  }

  private static func keys<Storage>(
    of changes: StorageChangeSet<Storage>, in feed: ObjectIdentifier
  ) -> [RowKey] {
    if changes.isEmpty { return [] }
    var keys: [RowKey] = [.database(feed: feed)]
    for rows in changes.changedRows {
      keys.append(.table(feed: feed, entity: rows.entity))
      for hash in rows.idHashes {
        keys.append(.row(feed: feed, entity: rows.entity, idHash: hash))
      }
    }
    return keys
  }
}
