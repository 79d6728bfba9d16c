extension IdentifiedArray: RandomAccessCollection {
  /// A position.
  public typealias Index = Int
  /// All positions.
  public typealias Indices = Range<Int>
  /// A slice: elements at a range of positions.
  public typealias SubSequence = IdentifiedArraySlice<ID, Element>

  /// The first position: 0.
  @inlinable
  public var startIndex: Int { 0 }

  /// The position after the last element.
  @inlinable
  public var endIndex: Int { table.count }

  /// The number of elements.
  /// - Complexity: O(1).
  @inlinable
  public var count: Int { table.count }

  /// Whether there are no elements.
  /// - Complexity: O(1).
  @inlinable
  public var isEmpty: Bool { table.isEmpty }

  /// Returns the next position.
  @inlinable
  public func index(after position: Int) -> Int { position + 1 }

  /// Returns the previous position.
  @inlinable
  public func index(before position: Int) -> Int { position - 1 }

  /// Returns the distance from one position to another.
  /// - Complexity: O(1).
  @inlinable
  public func distance(from start: Int, to end: Int) -> Int { end - start }

  /// Returns an iterator over the elements, in order.
  /// - Complexity: O(1).
  @inlinable
  public func makeIterator() -> Iterator { Iterator(self) }

  /// An iterator over the elements of one version, in order.
  @frozen
  public struct Iterator: IteratorProtocol {
    @usableFromInline var entries: Table.Iterator

    @inlinable
    init(_ array: IdentifiedArray) { entries = array.table.makeIterator() }

    @inlinable
    init(_ array: IdentifiedArray, _ positions: Range<Int>) {
      entries = array.table.makeIterator(of: positions)
    }

    /// Returns the next element, or `nil` after the last.
    /// - Complexity: O(1) amortized.
    @inlinable
    @inline(__always)
    public mutating func next() -> Element? { entries.nextPointer()?.pointee.value }
  }
}

// The iterator's addresses point into nodes that its own table keeps alive and unchanged.
extension IdentifiedArray.Iterator: @unchecked Sendable where ID: Sendable, Element: Sendable {}
