public import EntiaCollections

extension Indexes {
  /// The IDs of entities in the order of a key; equal keys are in the order of the IDs.
  ///
  /// ```swift
  /// @Index var booksByYear: Indexes.Sorted<Book, Int> = .init(\.year)
  /// @Index var booksByTitle: Indexes.Sorted<Book, String> = .init { $0.title.lowercased() }
  ///
  /// library.booksByYear.ids(in: 1960..<1970)
  /// library.booksByYear.ids().last
  /// ```
  ///
  /// An entity whose key is `nil` is left out, so the key of an index by an optional field has the
  /// wrapped type. `SortKeys` combines several fields in a key.
  public struct Sorted<Entity: EntityType, Key: Comparable & Sendable>: Sendable
  where Entity.EntityIDRawType: Comparable {
    @usableFromInline typealias Order = IndexOrder<Key, Entity.EntityID>

    /// Reads the key of an entity.
    public let keyReader: IndexKeyReader<Entity, Key>
    @usableFromInline package var tree = SortedTree<IndexOrder<Key, Entity.EntityID>>()

    /// Creates an index without rows.
    public init(keyReader: IndexKeyReader<Entity, Key>) { self.keyReader = keyReader }

    /// The number of indexed entities.
    /// - Complexity: O(1).
    @inlinable
    public var count: Int { tree.count }
  }
}

extension Indexes.Sorted: KeyedIndexType, RebuildableIndex {
  /// Updates the index for an inserted (`old` is `nil`), changed or removed (`new` is `nil`) row.
  /// - Complexity: O(log *n*); no update when the key did not change.
  @inlinable
  public mutating func rowChanged(from old: Entity?, to new: Entity?) {
    let oldKey = old.flatMap { keyReader.key(of: $0) }
    let newKey = new.flatMap { keyReader.key(of: $0) }
    if haveSameValue(oldKey, newKey) { return }
    if let old, let oldKey { tree.remove(SortedEntry(key: oldKey, id: old.entityID)) }
    if let new, let newKey { tree.insert(SortedEntry(key: newKey, id: new.entityID)) }
  }

  /// Rebuilds the index from rows, regardless of its contents. The entries are sorted once, and the
  /// tree is built from them.
  /// - Parameter visitRows: Calls its closure with every row.
  /// - Complexity: O(*n* log *n*); O(*n*) when the rows are in the order of the index.
  @inlinable
  package mutating func rebuild(_ visitRows: (_ visit: (Entity) -> Void) -> Void) {
    var entries: [SortedEntry<Key, Entity.EntityID>] = []
    visitRows { row in
      if let key = keyReader.key(of: row) {
        entries.append(SortedEntry(key: key, id: row.entityID))
      }
    }
    entries.sort(by: Order.precedes)
    tree = SortedTree(entries)
  }

  /// Returns the differences between this index and the same index built from every row.
  /// - Complexity: O(*n*).
  package func mismatches(from rebuilt: Self) -> [IndexMismatch] {
    tree.differences(from: rebuilt.tree).map { difference in
      let entry =
        switch difference {
        case .inserted(let entry), .removed(let entry): entry
        }
      return IndexMismatch(entity: EntityLabel(entry.id), key: String(describing: entry.key))
    }
  }
}

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

/// A page of the IDs of a sorted index, and the cursor of the next page.
public struct SortedPage<Entity: EntityType, Key: Comparable & Sendable>: Sendable {
  /// The IDs of the page, in order.
  public let ids: [Entity.EntityID]
  /// The cursor of the next page, or `nil` when this is the last one.
  public let next: SortedPosition<Entity, Key>?
}

extension Indexes.Sorted {
  /// Returns the IDs after a cursor, at most `limit` of them.
  ///
  /// ```swift
  /// let first = library.booksByYear.page(limit: 20)
  /// let second = library.booksByYear.page(after: first.next, limit: 20)
  /// ```
  ///
  /// - Parameters:
  ///   - cursor: The `next` of the page before this one; `nil` for the first page.
  ///   - limit: The maximum number of IDs on the page; with a limit below 1, the page is empty.
  ///   - isReversed: Whether to iterate from the last ID to the first.
  /// - Returns: The page; its `next` is `nil` when the page is the last one.
  /// - Complexity: O(log *n* + *k*) for *k* IDs.
  public func page(
    after cursor: SortedPosition<Entity, Key>? = nil, limit: Int, reversed isReversed: Bool = false
  ) -> SortedPage<Entity, Key> {
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
    let next = isLast ? nil : entries.last.map { .init(key: $0.key, id: $0.id) } ?? cursor
    return SortedPage(ids: entries.map { $0.id }, next: next)
  }
}

extension Indexes.Sorted {
  /// Returns the IDs of all indexed entities.
  /// - Complexity: O(1).
  @inlinable
  public func ids() -> SortedIDs<Entity, Key> { SortedIDs(tree[0..<tree.count]) }

  /// Returns the IDs of the entities with keys between two bounds.
  /// - Complexity: O(log *n*).
  @inlinable
  public func ids(
    from lower: SortedBound<Key>, to upper: SortedBound<Key>
  ) -> SortedIDs<Entity, Key> {
    let ranks = tree.ranks(from: lower, to: upper)
    guard case .unbounded = upper else { return SortedIDs(tree[ranks]) }
    if case .unbounded = lower { return SortedIDs(tree[ranks]) }
    // NaN is last in the order, but a range with a lower bound does not contain NaN.
    return SortedIDs(tree[ranks.clamped(to: 0..<Swift.max(ranks.lowerBound, orderedCount))])
  }

  /// Returns the IDs of the entities with a key, in the order of the IDs.
  /// - Complexity: O(log *n*).
  @inlinable
  public func ids(for key: Key) -> SortedIDs<Entity, Key> {
    ids(from: .including(key), to: .including(key))
  }

  /// Returns the IDs of the entities with keys in a range, such as `1960..<1970`, `1960...1969`,
  /// `1960...`, `..<1960` or `...1960`.
  /// - Precondition: The range is one of the standard library's types of ranges.
  /// - Complexity: O(log *n*).
  @inlinable
  public func ids(in range: some RangeExpression<Key>) -> SortedIDs<Entity, Key> {
    // In specialized code, the casts are evaluated at compile time.
    switch range {
    case let range as Range<Key>:
      ids(from: .including(range.lowerBound), to: .excluding(range.upperBound))
    case let range as ClosedRange<Key>:
      ids(from: .including(range.lowerBound), to: .including(range.upperBound))
    case let range as PartialRangeFrom<Key>:
      ids(from: .including(range.lowerBound), to: .unbounded)
    case let range as PartialRangeUpTo<Key>:
      ids(from: .unbounded, to: .excluding(range.upperBound))
    case let range as PartialRangeThrough<Key>:
      ids(from: .unbounded, to: .including(range.upperBound))
    default: preconditionFailure("a range of the type \(type(of: range))")
    }
  }

  /// Returns the position of an entity, or `nil` when it is not indexed with its current key.
  /// - Complexity: O(log *n*).
  @inlinable
  public func rank(of entity: Entity) -> Int? {
    keyReader.key(of: entity).flatMap { tree.rank(of: SortedEntry(key: $0, id: entity.entityID)) }
  }

  /// The number of entries whose keys are not NaN.
  @inlinable
  var orderedCount: Int {
    guard let last = tree.last, last.key != last.key else { return tree.count }
    return tree.rank { $0.key == $0.key }
  }
}

extension Indexes.Sorted where Key == String {
  /// Returns the IDs of the entities with keys that begin with a prefix. Keys are compared by the
  /// Unicode scalars of the composed form, as Swift compares strings.
  ///
  /// In a key, a combining mark may follow the prefix. Such a key is included if the mark is a
  /// separate scalar in the composed form, such as `x` and a ring above, for the prefix `x`. The
  /// key is not included if one scalar of the composed form represents the letter and the mark,
  /// such as `é` for the prefix `e`. Whether the key was written with one scalar or two makes no
  /// difference.
  /// - Complexity: O(log *n*).
  public func ids(withPrefix prefix: String) -> SortedIDs<Entity, Key> {
    let end = PrefixEnd(of: prefix)
    return SortedIDs(tree[tree.countBelow(prefix)..<tree.rank { end.follows($0.key) }])
  }
}

extension Indexes.Sorted {
  /// Returns the IDs of the entities whose key begins with a part, in the order of the other parts.
  /// - Complexity: O(log *n*).
  public func ids<First, Rest>(startingWith first: First) -> SortedIDs<Entity, Key>
  where Key == SortKeys<First, Rest> {
    ids(startingFrom: .including(first), to: .including(first))
  }

  /// Returns the IDs of the entities whose key begins with a part between two bounds.
  /// - Complexity: O(log *n*).
  package func ids<First, Rest>(
    startingFrom lower: SortedBound<First>, to upper: SortedBound<First>
  ) -> SortedIDs<Entity, Key> where Key == SortKeys<First, Rest> {
    typealias Part = IndexOrder<First, Int>
    let start =
      switch lower {
      case .unbounded: 0
      case .including(let bound): tree.rank { Part.precedes($0.key.first, bound) }
      case .excluding(let bound): tree.rank { !Part.precedes(bound, $0.key.first) }
      }
    let end =
      switch upper {
      case .unbounded:
        if case .unbounded = lower {
          tree.count
        } else {
          tree.rank { $0.key.first == $0.key.first }
        }
      case .including(let bound): tree.rank { !Part.precedes(bound, $0.key.first) }
      case .excluding(let bound): tree.rank { Part.precedes($0.key.first, bound) }
      }
    return SortedIDs(tree[start..<Swift.max(start, end)])
  }
}

extension Indexes.Sorted {
  /// Calls the closure with the IDs in order until it returns `false`. Equal keys are in the
  /// order of their IDs, in both directions.
  /// - Parameters:
  ///   - isReversed: Whether greater keys are first.
  ///   - body: The closure, which returns `false` to stop.
  /// - Returns: `true`, even if the closure stopped, because the index has an order.
  /// - Complexity: O(log *n* + *k*) for *k* calls; reversed, O(log *n*) for each group of equal
  ///   keys.
  @inlinable
  public func visitInOrder(isReversed: Bool, _ body: (Entity.EntityID) -> Bool) -> Bool {
    visit(0..<tree.count, isReversed: isReversed, body)
    return true
  }

  @inlinable
  func visit(_ ranks: Range<Int>, isReversed: Bool, _ body: (Entity.EntityID) -> Bool) {
    guard isReversed else {
      for entry in tree[ranks] where !body(entry.id) { return }
      return
    }
    var end = ranks.upperBound
    var entries = tree[ranks].reversed().makeIterator()
    var next = entries.next()
    while let entry = next {
      next = entries.next()
      // Usually no other entry has the key.
      guard let other = next, !Order.keyPrecedes(other.key, entry.key) else {
        if !body(entry.id) { return }
        end -= 1
        continue
      }
      let start = Swift.max(ranks.lowerBound, tree.countBelow(entry.key))
      for entry in tree[start..<end] where !body(entry.id) { return }
      end = start
      entries = tree[ranks.lowerBound..<end].reversed().makeIterator()
      next = entries.next()
    }
  }
}
