/// A place in the result of a fetch, behind an entity: where the next page begins.
///
/// It remembers the entity as it was, so that it stays where it is when the entity is changed or
/// removed.
public struct FetchCursor<Entity: EntityType>: Hashable, Sendable {
  /// The last entity of the page before, as it was then.
  public let entity: Entity

  /// Creates a place behind an entity.
  public init(behind entity: Entity) { self.entity = entity }

  /// Feeds the entity's ID into the hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(entity.entityID) }
}

/// A part of the result of a fetch, and where to go on.
public struct FetchPage<Entity: EntityType>: Equatable, Sendable {
  /// The entities of the page, in order.
  public let entities: [Entity]
  /// Where the page that follows begins, or `nil` when nothing does.
  public let next: FetchCursor<Entity>?
}

extension NormalizedStorageType {
  /// Returns a page of the entities that a description asks for: those behind a cursor, at most its
  /// `fetchLimit`.
  ///
  /// ```swift
  /// let first = library.fetchPage(descriptor)
  /// let second = library.fetchPage(descriptor, after: first.next)
  /// ```
  ///
  /// Pages never overlap and leave nothing out, whatever comes and goes between them: each begins
  /// behind the cursor in the order of the fetch. Without a sort that is the order of the IDs, not
  /// that of the table; where IDs have no order, entities that a removed one was tied with may come
  /// twice.
  /// - Parameters:
  ///   - descriptor: what to fetch; its `fetchOffset` counts from the cursor.
  ///   - cursor: where the page begins; at the beginning when there is none.
  /// - Complexity: O(page · log *n*) where an index has the order and the predicate, otherwise as
  ///   `fetch`.
  public func fetchPage<Entity: EntityType>(
    _ descriptor: FetchDescriptor<Entity>, after cursor: FetchCursor<Entity>? = nil
  ) -> FetchPage<Entity> {
    var descriptor = descriptor
    descriptor.start = cursor.map { .behind($0.entity) } ?? .beginning
    let limit = max(0, descriptor.fetchLimit ?? .max)
    // One more tells whether a page follows.
    if limit < .max { descriptor.fetchLimit = limit + 1 }
    var entities = fetch(descriptor)
    guard entities.count > limit else { return FetchPage(entities: entities, next: nil) }
    entities.removeLast()
    return FetchPage(
      entities: entities, next: entities.last.map { FetchCursor(behind: $0) } ?? cursor)
  }
}
