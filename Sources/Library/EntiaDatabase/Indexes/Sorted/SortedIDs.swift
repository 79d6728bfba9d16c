public import EntiaCollections

/// IDs in the order of a sorted index.
///
/// A view of one version of the index, created in constant time. Its indices are the positions in
/// the whole index; accessing an ID by its position takes O(log *n*).
public struct SortedIDs<Entity: EntityType, Key: Comparable & Sendable>: Sendable
where Entity.EntityIDRawType: Comparable {
  @usableFromInline let slice: SortedSlice<IndexOrder<Key, Entity.EntityID>>

  @inlinable
  init(_ slice: SortedSlice<IndexOrder<Key, Entity.EntityID>>) { self.slice = slice }

  /// Returns the IDs from the last to the first.
  /// - Complexity: O(1).
  @inlinable
  public func reversed() -> ReversedSortedIDs<Entity, Key> { ReversedSortedIDs(slice.reversed()) }

  /// The keys of the IDs, with the IDs: each pair is an entry of the index.
  /// - Complexity: O(1).
  @inlinable
  public var entries: some RandomAccessCollection<SortedEntry<Key, Entity.EntityID>> & Sendable {
    slice
  }
}

extension SortedIDs: RandomAccessCollection {
  /// The position of the first ID in the whole index.
  @inlinable
  public var startIndex: Int { slice.startIndex }

  /// The position after the last ID in the whole index.
  @inlinable
  public var endIndex: Int { slice.endIndex }

  /// Returns the distance from one position to another.
  /// - Complexity: O(1).
  @inlinable
  public func distance(from start: Int, to end: Int) -> Int { end - start }

  /// Accesses the ID at a position, which must be in bounds.
  /// - Complexity: O(log *n*).
  @inlinable
  public subscript(position: Int) -> Entity.EntityID { slice[position].id }

  /// Accesses the IDs in a range of positions, which must be in bounds.
  /// - Complexity: O(1).
  @inlinable
  public subscript(bounds: Range<Int>) -> Self { Self(slice[bounds]) }

  /// Returns an iterator over the IDs, in order.
  /// - Complexity: O(1).
  @inlinable
  public func makeIterator() -> Iterator { Iterator(slice.makeIterator()) }

  /// An iterator over the IDs, in order.
  @frozen
  public struct Iterator: IteratorProtocol {
    @usableFromInline var entries: SortedIterator<IndexOrder<Key, Entity.EntityID>>

    @inlinable
    init(_ entries: SortedIterator<IndexOrder<Key, Entity.EntityID>>) { self.entries = entries }

    /// Returns the next ID, or `nil` after the last.
    @inlinable
    public mutating func next() -> Entity.EntityID? { entries.next()?.id }
  }
}

/// The IDs in the reversed order of a sorted index.
public struct ReversedSortedIDs<Entity: EntityType, Key: Comparable & Sendable>: Sequence, Sendable
where Entity.EntityIDRawType: Comparable {
  @usableFromInline
  let entries: ReversedTreeCollection<SortedSlice<IndexOrder<Key, Entity.EntityID>>>

  @inlinable
  init(_ entries: ReversedTreeCollection<SortedSlice<IndexOrder<Key, Entity.EntityID>>>) {
    self.entries = entries
  }

  /// The number of IDs.
  @inlinable
  public var underestimatedCount: Int { entries.underestimatedCount }

  /// Returns an iterator over the IDs, from the last to the first.
  /// - Complexity: O(1).
  @inlinable
  public func makeIterator() -> Iterator { Iterator(entries.makeIterator()) }

  /// An iterator over the IDs, from the last to the first.
  @frozen
  public struct Iterator: IteratorProtocol {
    @usableFromInline var entries: SortedReverseIterator<IndexOrder<Key, Entity.EntityID>>

    @inlinable
    init(_ entries: SortedReverseIterator<IndexOrder<Key, Entity.EntityID>>) {
      self.entries = entries
    }

    /// Returns the next ID, or `nil` after the first of the order.
    @inlinable
    public mutating func next() -> Entity.EntityID? { entries.next()?.id }
  }
}

extension SortedIDs: CustomStringConvertible {
  /// The IDs, formatted as an array.
  public var description: String { Array(self).description }
}

extension ReversedSortedIDs: CustomStringConvertible {
  /// The IDs, formatted as an array.
  public var description: String { Array(self).description }
}

extension SortedIDs {
  /// Returns the results of a closure for the IDs, in order.
  /// - Parameter transform: Returns the result for an ID.
  /// - Throws: The error of the closure.
  /// - Complexity: O(*n*).
  @inlinable
  public func map<Result, Failure: Error>(
    _ transform: (Entity.EntityID) throws(Failure) -> Result
  ) throws(Failure) -> [Result] { try mapByIterating(transform) }

  /// Returns the position of the first ID that satisfies a predicate, or `nil`.
  /// - Parameter predicate: Whether an ID qualifies.
  /// - Throws: The error of the predicate.
  /// - Complexity: O(*n*).
  @inlinable
  public func firstIndex(where predicate: (Entity.EntityID) throws -> Bool) rethrows -> Int? {
    try firstIndexByIterating(where: predicate)
  }
}
