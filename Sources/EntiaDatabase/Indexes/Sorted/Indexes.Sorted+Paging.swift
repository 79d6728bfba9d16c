import EntiaCollections

/// A place in the order of a sorted index: behind an entity, whether or not it is still there.
public struct SortedPosition<Entity: EntityType, Key: Comparable & Sendable>: Sendable {
  /// The key of the entity.
  public let key: Key
  /// The entity's ID.
  public let id: Entity.EntityID

  /// Creates a place, for a key and an ID that were written down.
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

/// A part of the order of a sorted index, and where to go on.
public struct SortedPage<Entity: EntityType, Key: Comparable & Sendable>: Sendable {
  /// The IDs of the page, in order.
  public let ids: [Entity.EntityID]
  /// The cursor of the page that follows, or `nil` when nothing does.
  public let next: SortedPosition<Entity, Key>?
}

extension Indexes.Sorted {
  /// A place in the order of this index, which stays where it is whatever comes and goes.
  public typealias Cursor = SortedPosition<Entity, Key>

  /// Returns the IDs that follow a cursor, at most so many.
  ///
  /// ```swift
  /// let first = library.booksByYear.page(limit: 20)
  /// let second = library.booksByYear.page(after: first.next, limit: 20)
  /// ```
  ///
  /// - Parameters:
  ///   - cursor: where the page begins; `nil` is the beginning, or the end when it is reversed.
  ///   - limit: how many IDs the page has at most; nothing is on a page with a limit below 1.
  ///   - isReversed: whether to go from the last to the first.
  /// - Returns: the page, whose `next` is `nil` when it is the last.
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
