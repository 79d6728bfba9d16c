extension OrderedIDs: RandomAccessCollection {
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
  /// - Precondition: The position is valid.
  /// - Complexity: O(log *n*).
  @inlinable
  public subscript(position: Int) -> ID { table[position: position].id }

  /// Returns an iterator over the IDs, in order.
  /// - Complexity: O(1).
  @inlinable
  public func makeIterator() -> Iterator { Iterator(self) }

  /// An iterator over the IDs, in order.
  @frozen
  public struct Iterator: IteratorProtocol {
    @usableFromInline var keys: Table.Iterator

    @inlinable
    init(_ ids: OrderedIDs) { keys = ids.table.makeIterator() }

    /// Returns the next ID, or `nil` after the last.
    /// - Complexity: O(1) amortized.
    @inlinable
    public mutating func next() -> ID? { keys.nextPointer()?.pointee.id }
  }

  /// Whether the collection contains an ID.
  /// - Complexity: O(1) expected.
  @inlinable
  public func contains(_ id: ID) -> Bool { table.contains(IdentifiedKey(id)) }

  /// Returns the position of an ID, or `nil`.
  /// - Complexity: O(log *n*) expected.
  @inlinable
  public func firstIndex(of id: ID) -> Int? { table.position(of: IdentifiedKey(id)) }

  /// Returns the position of an ID, or `nil`. An ID has at most one position.
  /// - Complexity: O(log *n*) expected.
  @inlinable
  public func lastIndex(of id: ID) -> Int? { firstIndex(of: id) }

  /// Returns the IDs that satisfy a predicate, in their order.
  /// - Parameter isIncluded: Whether an ID is included.
  /// - Throws: The error of the predicate.
  /// - Complexity: O(*n*).
  @inlinable
  public func filter(_ isIncluded: (ID) throws -> Bool) rethrows -> Self {
    var builder = Builder()
    var iterator = table.makeIterator()
    while let key = iterator.nextPointer() {
      guard try isIncluded(key.pointee.id) else { continue }
      builder.append(key.pointee, tag: table.tag(of: key.pointee))
    }
    withExtendedLifetime(iterator) {}
    return Self(table: builder.finish())
  }
}

// The iterator's addresses point into nodes that its own table keeps alive and unchanged.
extension OrderedIDs.Iterator: @unchecked Sendable where ID: Sendable {}
