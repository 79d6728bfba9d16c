/// A position in the result of a fetch, after an entity: the start of the next page.
///
/// It stores the entity as it was, so that the position is stable when the entity is changed or
/// removed.
public struct FetchCursor<Entity: EntityType>: Hashable, Sendable {
  /// The last entity of the previous page, as it was when the page was read.
  public let entity: Entity

  /// Creates a position after an entity.
  public init(after entity: Entity) { self.entity = entity }

  /// Feeds the entity's ID into the hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(entity.entityID) }
}

/// A part of the result of a fetch, and the start of the next part.
public struct FetchPage<Entity: EntityType>: Equatable, Sendable {
  /// The entities of the page, in order.
  public let entities: [Entity]
  /// The start of the next page, or `nil` when this is the last one.
  public let next: FetchCursor<Entity>?
}

extension NormalizedStorageType {
  /// Returns a page of the entities that a fetch descriptor selects: those after a cursor, at most
  /// `fetchLimit`.
  ///
  /// ```swift
  /// let first = library.fetchPage(descriptor)
  /// let second = library.fetchPage(descriptor, after: first.next)
  /// ```
  ///
  /// Insertions and removals between pages cause neither overlaps nor gaps: each page begins
  /// after the cursor in the order of the fetch. Without a sort that is the order of the IDs, not
  /// that of the table. If IDs have no order and the entity of the cursor has been removed,
  /// entities that compare equal to it may be returned twice.
  /// - Parameters:
  ///   - descriptor: The entities to fetch; its `fetchOffset` counts from the cursor.
  ///   - cursor: The start of the page; `nil` for the first page.
  /// - Complexity: O(page · log *n*) when an index serves the order and the predicate, otherwise
  ///   that of `fetch`.
  public func fetchPage<Entity: EntityType>(
    _ descriptor: FetchDescriptor<Entity>, after cursor: FetchCursor<Entity>? = nil
  ) -> FetchPage<Entity> {
    var descriptor = descriptor
    descriptor.start = cursor.map { .after($0.entity) } ?? .beginning
    let limit = max(0, descriptor.fetchLimit ?? .max)
    // An entity more than the limit indicates that another page follows.
    if limit < .max { descriptor.fetchLimit = limit + 1 }
    var entities = fetch(descriptor)
    guard entities.count > limit else { return FetchPage(entities: entities, next: nil) }
    entities.removeLast()
    return FetchPage(
      entities: entities, next: entities.last.map { FetchCursor(after: $0) } ?? cursor)
  }
}
