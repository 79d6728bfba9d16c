import EntiaDatabase

/// A store as those see it who look at some rows only: they are told of commits that changed one.
final class RowSource<State: Sendable, Activity: Sendable>: StateSource {
  private let core: StoreCore<State, Activity>
  private let rows: RowAudience.Interest

  init(_ core: StoreCore<State, Activity>, _ rows: RowAudience.Interest) {
    self.core = core
    self.rows = rows
  }

  var hub: StoreHub { core.hub }
  var interest: StoreInterest { .rows(rows) }

  func value(at version: SourceVersion) -> Snapshot<State> { version.current.of(State.self) }

  func observe(
    on target: DeliveryTarget, dropsFirst: Bool,
    receive: @escaping @Sendable (Snapshot<State>, _ previous: Snapshot<State>?) -> Void
  ) -> StoreSubscription {
    core.hub.observeStates(on: target, interest: interest, dropsFirst: dropsFirst) { event in
      if case .state(let current, let previous, _) = event {
        receive(current.of(State.self), previous?.of(State.self))
      }
    }
  }
}

extension StoreCore {
  /// Returns the feed of a database in the state.
  func feed<Storage: NormalizedStorageType>(
    at path: any KeyPath<State, Storage> & Sendable
  ) -> RowFeed {
    feeds.feed(at: path) {
      databases.add(path)
      return RowFeed(path)
    }
  }

  /// What an observer of some rows is interested in.
  func interest<Storage: NormalizedStorageType, Entity: EntityType>(
    in ids: some Sequence<EntityIdentifier<Entity>>,
    at path: any KeyPath<State, Storage> & Sendable
  ) -> RowAudience.Interest {
    let feed = feed(at: path)
    return RowAudience.Interest(feeds: [feed], keys: ids.map { feed.key(of: $0) })
  }
}
