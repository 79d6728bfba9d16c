public import EntiaDatabase

/// The entities that a description asks for, as they are now and as they change.
///
/// ```swift
/// let books = store.query(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)]), in: \.library)
/// books.value                                       // [Book]
/// books.sinkDifferences { difference in
///   list.apply(difference.removed, difference.inserted)
/// }
/// ```
///
/// It is kept current from what commits change: a commit costs it at most one look at each changed
/// row of its table, and nothing when other tables changed. Without a sort, entities come in the
/// order of their table.
///
/// Tracked by Observation: reading `value` in a tracked scope observes its next change. From then on
/// the query is kept current after every commit, until it is released and no tracked read waits for
/// its change. Queries that ask the same of one database share their result, unless they are described
/// by a closure or join related entities.
public final class LiveQuery<Entity: EntityType>: Sendable {
  let source: any StateSource<[Entity]>
  /// The same, as what knows where its entities differ.
  private let differences: any QuerySource<Entity>
  private let tracking: any ReadTracking

  init(_ source: some QuerySource<Entity>) {
    self.source = source
    differences = source
    tracking = source.tracking ?? ValueTracking()
    tracking.addHolder()
  }

  deinit { tracking.removeHolder() }

  /// The entities that match now, in order.
  public var value: [Entity] {
    source.trackedValue(tracking)
  }

  /// The entities that match now, by the name a store has for it.
  public var state: [Entity] { value }

  /// Derives a further value from the entities.
  ///
  /// - Returns: A value that is computed again only when the result of the query has changed.
  public func derived<Output>(_ derivation: Derivation<[Entity], Output>) -> Derived<Output> {
    Derived(derivation, of: source)
  }

  /// Calls a closure on the main actor with the entities and after each change of them.
  ///
  /// - Returns: The subscription, which ends when it is released.
  public func sinkState(
    queue: MainActorQueue = .main, dropsFirst: Bool = false,
    receive: @escaping @MainActor @Sendable (Changes<[Entity]>) -> Void
  ) -> StoreSubscription {
    source.sink(on: queue, dropsFirst: dropsFirst, receive: receive)
  }

  /// Calls a closure on a queue with the entities and after each change of them.
  ///
  /// - Returns: The subscription, which ends when it is released.
  public func sinkState(
    queue: DeliveryQueue, dropsFirst: Bool = false,
    receive: @escaping @Sendable (Changes<[Entity]>) -> Void
  ) -> StoreSubscription {
    source.sink(on: queue, dropsFirst: dropsFirst, receive: receive)
  }

  /// Calls a closure on the main actor with what came, went, moved and changed, and where.
  ///
  /// The first call, unless dropped, has everything as inserted. Where the description has no limit
  /// and no offset, no entities are compared but those that a commit changed.
  ///
  /// - Returns: The subscription, which ends when it is released.
  public func sinkDifferences(
    queue: MainActorQueue = .main, dropsFirst: Bool = false,
    receive: @escaping @MainActor @Sendable (QueryDifference<Entity>) -> Void
  ) -> StoreSubscription {
    let differences = differences
    return sinkState(queue: queue, dropsFirst: dropsFirst) {
      receive(differences.difference($0))
    }
  }

  /// Calls a closure on a queue with what came, went, moved and changed, and where.
  ///
  /// The first call, unless dropped, has everything as inserted.
  ///
  /// - Returns: The subscription, which ends when it is released.
  public func sinkDifferences(
    queue: DeliveryQueue, dropsFirst: Bool = false,
    receive: @escaping @Sendable (QueryDifference<Entity>) -> Void
  ) -> StoreSubscription {
    let differences = differences
    return sinkState(queue: queue, dropsFirst: dropsFirst) {
      receive(differences.difference($0))
    }
  }

  /// Calls a closure on an actor with the entities and after each change of them.
  ///
  /// - Parameters:
  ///   - actor: The actor on which the closure is called. The subscription retains it.
  ///   - dropsFirst: Whether to omit the call with the current entities.
  ///   - receive: A closure that is called with the actor and the entities.
  /// - Returns: The subscription, which ends when it is released.
  public func sinkState<Place: Actor>(
    on actor: Place, dropsFirst: Bool = false,
    receive: @escaping @Sendable (isolated Place, Changes<[Entity]>) -> Void
  ) -> StoreSubscription {
    source.sink(on: actor, dropsFirst: dropsFirst, receive: receive)
  }
}
