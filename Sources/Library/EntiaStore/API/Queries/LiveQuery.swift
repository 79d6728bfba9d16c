public import EntiaDatabase

/// The entities that match a fetch descriptor, updated after each commit.
///
/// ```swift
/// let books = store.query(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)]), in: \.library)
/// books.value                                       // [Book]
/// books.sinkDifferences { difference in
///   list.apply(difference.removed, difference.inserted)
/// }
/// ```
///
/// It is updated incrementally from the changes of commits: a commit costs at most one evaluation
/// of each changed row in its table, and nothing if other tables changed. Without a sort, entities
/// are in the order of their table.
///
/// Tracked by Observation: reading `value` in a tracked scope observes its next change. From then
/// on the query is updated after every commit, until it is released and no tracked read is pending.
/// Equal queries of one database share their result, unless they contain a closure or join related
/// entities.
public final class LiveQuery<Entity: EntityType>: Sendable {
  let source: any StateSource<[Entity]>
  /// The source, as one that can return differences.
  private let differences: any QuerySource<Entity>
  private let tracking: any ReadTracking

  init(_ source: some QuerySource<Entity>) {
    self.source = source
    differences = source
    tracking = source.tracking ?? ValueTracking()
    tracking.addHolder()
  }

  deinit { tracking.removeHolder() }

  /// The matching entities, in order.
  public var value: [Entity] {
    source.trackedValue(tracking)
  }

  /// The matching entities, under the name that the property has in a store.
  public var state: [Entity] { value }

  /// Calls a closure on the main actor with the positions of inserted, removed, moved and updated
  /// entities.
  ///
  /// The first call, unless omitted, reports all entities as inserted. If the descriptor has no
  /// limit and no offset, only the entities that a commit changed are compared.
  ///
  /// - Returns: The subscription, which ends when it is released.
  public func sinkDifferences(
    dropsFirst: Bool = false, queue: MainActorQueue = .main,
    receive: @escaping @MainActor @Sendable (QueryDifference<Entity>) -> Void
  ) -> StoreSubscription {
    let differences = differences
    return sinkState(dropsFirst: dropsFirst, queue: queue) {
      receive(differences.difference($0))
    }
  }

  /// Calls a closure on a queue with the positions of inserted, removed, moved and updated
  /// entities.
  ///
  /// The first call, unless omitted, reports all entities as inserted.
  ///
  /// - Returns: The subscription, which ends when it is released.
  public func sinkDifferences(
    dropsFirst: Bool = false, queue: DeliveryQueue,
    receive: @escaping @Sendable (QueryDifference<Entity>) -> Void
  ) -> StoreSubscription {
    let differences = differences
    return sinkState(dropsFirst: dropsFirst, queue: queue) {
      receive(differences.difference($0))
    }
  }
}

extension LiveQuery: StateObservable {
  /// The type of the observed values: the entities.
  public typealias State = [Entity]

  /// The sequence of results, beginning with the current one. A slow loop skips to the newest
  /// result.
  public var states: StoreStates<[Entity]> { StoreStates(source) }

  /// The number of entities that match now.
  /// - Complexity: The same as `value`. `store.count` computes the number without storing the
  ///   entities.
  public var count: Int { value.count }
}
