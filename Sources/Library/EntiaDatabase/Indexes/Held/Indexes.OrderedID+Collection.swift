public import EntiaCollections

extension Indexes.OrderedID: RandomAccessCollection {
  /// A position.
  public typealias Index = Int
  /// All positions.
  public typealias Indices = Range<Int>

  /// The first position: 0.
  @inlinable
  public var startIndex: Int { 0 }

  /// The position after the last ID.
  @inlinable
  public var endIndex: Int { table.count }

  /// Returns the distance from one position to another.
  /// - Complexity: O(1).
  @inlinable
  public func distance(from start: Int, to end: Int) -> Int { end - start }

  /// The ID at a position.
  ///
  /// For a position that may be stale, use ``find(at:)``.
  /// - Precondition: The position is valid.
  /// - Complexity: O(log *n*).
  @inlinable
  public subscript(position: Int) -> Entity.EntityID { table[position: position] }

  /// Returns the ID at a position, or `nil` when there is no such position.
  /// - Complexity: O(log *n*).
  @inlinable
  public func find(at position: Int) -> Entity.EntityID? {
    position >= 0 && position < table.count ? table[position: position] : nil
  }

  /// Whether an ID is in the list.
  /// - Complexity: O(1) expected.
  @inlinable
  public func contains(_ id: Entity.EntityID) -> Bool { table.contains(id) }

  /// Returns the position of an ID, or `nil` when it is not in the list.
  /// - Complexity: O(log *n*) expected.
  @inlinable
  public func firstIndex(of id: Entity.EntityID) -> Int? { table.position(of: id) }

  /// Returns the position of an ID, or `nil` when it is not in the list. The same as
  /// `firstIndex(of:)`, because an ID occurs at most once.
  /// - Complexity: O(log *n*) expected.
  @inlinable
  public func lastIndex(of id: Entity.EntityID) -> Int? { table.position(of: id) }

  /// Returns an iterator over the IDs, in order.
  /// - Complexity: O(1).
  @inlinable
  public func makeIterator() -> Iterator { Iterator(table) }

  /// Visits the IDs in order.
  @frozen
  public struct Iterator: IteratorProtocol, Sendable {
    @usableFromInline
    var ids: PersistentOrderedTable<SelfKeyed<Entity.EntityID>>.Iterator

    @inlinable
    init(_ table: PersistentOrderedTable<SelfKeyed<Entity.EntityID>>) {
      ids = table.makeIterator()
    }

    /// Returns the next ID, or `nil` after the last.
    /// - Complexity: O(1) amortized.
    @inlinable
    public mutating func next() -> Entity.EntityID? { ids.next() }
  }
}
