import EntiaCollections
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
/// A query is updated incrementally from the changes of commits: a commit costs at most one
/// evaluation of each changed row in the query's table, and nothing if only other tables changed.
/// Without a sort, entities are in the order of their table.
///
/// Tracked by Observation: reading `value` in a tracked scope observes its next change. From then
/// on, the query is updated after every commit. These updates end when the query has been released
/// and no tracked read is pending. Equal queries of one database share their result, unless they
/// contain a closure or join related entities.
public final class LiveQuery<Entity: EntityType>: Sendable {
  /// Returns the positions at which the result `new` differs from the result `old`, or `nil` if the
  /// two results have to be compared.
  typealias Step =
    @Sendable (_ old: StateVersion<[Entity]>, _ new: StateVersion<[Entity]>) -> LiveFetchStep?

  let source: any StateSource<[Entity]>
  private let step: Step
  private let tracking: any ReadTracking

  init(_ source: any StateSource<[Entity]>, step: @escaping Step = { _, _ in nil }) {
    self.source = source
    self.step = step
    tracking = source.tracking ?? ValueTracking()
    tracking.addHolder()
  }

  deinit { tracking.removeHolder() }

  /// The matching entities, in order.
  public var value: [Entity] {
    source.trackedValue(tracking)
  }

  /// The matching entities, under the same name as `Store.state`.
  package var state: [Entity] { value }

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
    sinkState(dropsFirst: dropsFirst, queue: queue) { [step] in
      receive(Self.difference($0, step))
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
    sinkState(dropsFirst: dropsFirst, queue: queue) { [step] in
      receive(Self.difference($0, step))
    }
  }

  private static func difference(
    _ changes: Changes<[Entity]>, _ step: Step
  ) -> QueryDifference<Entity> {
    let (new, old) = (changes.current, changes.former)
    if let old, let step = step(old, new) {
      return QueryDifference(from: old.value, to: new.value, step)
    }
    return QueryDifference(from: old?.value ?? [], to: new.value)
  }
}

extension LiveQuery: StateObservable {
  /// The sequence of results, beginning with the current one. A slow loop skips to the newest
  /// result.
  public var states: StoreStates<[Entity]> { StoreStates(source) }
}

extension LiveQuery {
  /// Returns a derived value of the entities grouped by a key, in order of each group's first
  /// entity.
  ///
  /// - Parameter key: The common field of a group's entities.
  /// - Returns: A value that always equals the result of `fetchGrouped`.
  /// - Complexity: O(*n*), where *n* is the number of results, if the result has changed; otherwise
  ///   nothing.
  public func grouped<Key: Hashable & Sendable>(
    by key: any KeyPath<Entity, Key> & Sendable
  ) -> Derived<[FetchGroup<Key, Entity>]> {
    derived(
      .map { entities in
        var groups = EntityGroups<Key, Entity>()
        for entity in entities { groups.append(entity, by: entity[keyPath: key]) }
        return groups.groups
      }.shared(id: DefinitionID("groups", key)))
  }

  /// Returns a derived value of the entities divided into sections. A new section begins at each
  /// change of the key.
  ///
  /// Sort by the key first; otherwise one key may have several sections.
  ///
  /// - Parameter key: The common field of a section's entities.
  /// - Returns: A value that always equals the result of `fetchSections`.
  /// - Complexity: O(*n*), where *n* is the number of results, if the result has changed; otherwise
  ///   nothing.
  public func sections<Key: Equatable & Sendable>(
    by key: any KeyPath<Entity, Key> & Sendable
  ) -> Derived<[FetchGroup<Key, Entity>]> {
    derived(
      .map { entities in
        var sections: [FetchGroup<Key, Entity>] = []
        for entity in entities { sections.append(entity, inSectionOf: entity[keyPath: key]) }
        return sections
      }.shared(id: DefinitionID("sections", key)))
  }
}
