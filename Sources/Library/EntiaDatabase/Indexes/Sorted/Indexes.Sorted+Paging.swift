import EntiaCollections

/// A position in the order of a sorted index: after an entity, which may have been removed.
public struct SortedPosition<Entity: EntityType, Key: Comparable & Sendable>: Sendable {
  /// The key of the entity.
  public let key: Key
  /// The entity's ID.
  public let id: Entity.EntityID

  /// Creates a position from a stored key and ID.
  public init(key: Key, id: Entity.EntityID) {
    self.key = key
    self.id = id
  }
}

extension SortedPosition: Equatable {}
extension SortedPosition: Hashable where Key: Hashable {}
extension SortedPosition: Encodable
where Key: Encodable, Entity.EntityIDRawType: Encodable {}
extension SortedPosition: Decodable
where Key: Decodable, Entity.EntityIDRawType: Decodable {}

/// A part of the order of a sorted index, and the start of the next part.
public struct SortedPage<Entity: EntityType, Key: Comparable & Sendable>: Sendable {
  /// The IDs of the page, in order.
  public let ids: [Entity.EntityID]
  /// The cursor of the next page, or `nil` when this is the last one.
  public let next: SortedPosition<Entity, Key>?
}

extension Indexes.Sorted {
  /// A position in the order of this index, which insertions and removals do not affect.
  public typealias Cursor = SortedPosition<Entity, Key>

  /// Returns the IDs after a cursor, at most `limit` of them.
  ///
  /// ```swift
  /// let first = library.booksByYear.page(limit: 20)
  /// let second = library.booksByYear.page(after: first.next, limit: 20)
  /// ```
  ///
  /// - Parameters:
  ///   - cursor: The start of the page; `nil` for the beginning, or for the end if `isReversed`.
  ///   - limit: The maximum number of IDs on the page; with a limit below 1, the page is empty.
  ///   - isReversed: Whether to iterate from the last ID to the first.
  /// - Returns: The page; its `next` is `nil` when it is the last one.
  /// - Complexity: O(log *n* + *k*) for *k* IDs.
  public func page(after cursor: Cursor? = nil, limit: Int, reversed isReversed: Bool = false)
    -> SortedPage<Entity, Key>
  {
    let limit = Swift.max(0, limit)
    let entry = cursor.map { SortedEntry(key: $0.key, id: $0.id) }
    let ranks: Range<Int>
    let isLast: Bool
    if isReversed {
      let end = entry.map { tree.countPreceding($0) } ?? tree.count
      ranks = Swift.max(0, end - limit)..<end
      isLast = ranks.lowerBound == 0
    } else {
      let start = entry.map { bound in tree.rank { !Order.precedes(bound, $0) } } ?? 0
      ranks = start..<(start + Swift.min(limit, tree.count - start))
      isLast = ranks.upperBound == tree.count
    }
    let entries = isReversed ? Array(tree[ranks].reversed()) : Array(tree[ranks])
    let next = isLast ? nil : entries.last.map { Cursor(key: $0.key, id: $0.id) } ?? cursor
    return SortedPage(ids: entries.map(\.id), next: next)
  }
}
