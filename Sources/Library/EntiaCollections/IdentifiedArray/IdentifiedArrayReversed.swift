/// The elements of an identified array, or of a slice of one, from the last to the first.
///
/// An index is the distance from the first element of this collection.
@frozen
public struct IdentifiedArrayReversed<ID: Hashable, Element> {
  @usableFromInline let slice: IdentifiedArraySlice<ID, Element>

  @inlinable
  init(_ slice: IdentifiedArraySlice<ID, Element>) { self.slice = slice }
}

extension IdentifiedArrayReversed: Sendable where ID: Sendable, Element: Sendable {}

extension IdentifiedArrayReversed: RandomAccessCollection {
  /// A distance from the first element of this collection.
  public typealias Index = Int
  /// The distances of all elements.
  public typealias Indices = Range<Int>

  /// The index of the first element: 0.
  @inlinable
  public var startIndex: Int { 0 }

  /// The index after the last element.
  /// - Complexity: O(1).
  @inlinable
  public var endIndex: Int { slice.count }

  /// Returns the distance from one index to another.
  /// - Complexity: O(1).
  @inlinable
  public func distance(from start: Int, to end: Int) -> Int { end - start }

  /// The element at an index.
  /// - Precondition: The index is valid.
  /// - Complexity: O(log *n*).
  @inlinable
  public subscript(index: Int) -> Element { slice[slice.endIndex - 1 - index] }

  /// Returns the results of a closure for the elements, in the order of this collection.
  /// - Parameter transform: Returns the result for an element.
  /// - Throws: The error of the closure.
  /// - Complexity: O(log *n* + *k*) for *k* elements.
  @inlinable
  public func map<Result, Failure: Error>(
    _ transform: (Element) throws(Failure) -> Result
  ) throws(Failure) -> [Result] {
    var results: [Result] = []
    results.reserveCapacity(count)
    var iterator = makeIterator()
    while let element = iterator.next() { results.append(try transform(element)) }
    return results
  }

  /// Returns an iterator over the elements, in the order of this collection.
  /// - Complexity: O(log *n*).
  @inlinable
  public func makeIterator() -> Iterator { Iterator(slice) }

  /// An iterator over elements of one version, from the last to the first.
  @frozen
  public struct Iterator: IteratorProtocol {
    @usableFromInline var entries: OrderedReverseIterator<IdentifiedEntries<ID, Element>>

    @inlinable
    init(_ slice: IdentifiedArraySlice<ID, Element>) {
      entries = OrderedReverseIterator(slice.array.table, slice.stored)
    }

    /// Returns the next element, or `nil` after the last.
    /// - Complexity: O(1) amortized.
    @inlinable
    @inline(__always)
    public mutating func next() -> Element? { entries.nextPointer()?.pointee.value }
  }
}

// The iterator's addresses point into nodes that its own table keeps alive and unchanged.
extension IdentifiedArrayReversed.Iterator: @unchecked Sendable
where ID: Sendable, Element: Sendable {}

/// An element of an identified array and its ID.
@frozen
@usableFromInline
struct IdentifiedEntry<ID: Hashable, Element> {
  @usableFromInline let key: IdentifiedKey<ID>
  @usableFromInline var value: Element

  @inlinable
  init(key: IdentifiedKey<ID>, value: Element) {
    self.key = key
    self.value = value
  }
}

extension IdentifiedEntry: Equatable where Element: Equatable {
  /// Compares only the elements, because arrays whose IDs are at different key paths may be equal.
  @inlinable
  @inline(__always)
  static func == (lhs: Self, rhs: Self) -> Bool { haveSameValue(lhs.value, rhs.value) }
}

/// The layout of an identified array's table.
@usableFromInline
enum IdentifiedEntries<ID: Hashable, Element>: KeyedElements {
  @inlinable
  @inline(__always)
  static func key(of element: IdentifiedEntry<ID, Element>) -> IdentifiedKey<ID> { element.key }
}
