/// A collection that is stored in a tree and indexed by integers.
///
/// An element is accessed by its index in O(log *n*), and an iteration in either direction takes
/// O(1) for each element. The methods of this protocol iterate, whereas the standard library's
/// defaults look up every index. In their complexities, *n* is the number of elements in the tree,
/// and *k* is the number of elements in the collection, which may be a slice.
public protocol TreeCollection: RandomAccessCollection where Index == Int, Indices == Range<Int> {
  /// An iterator over the elements, from the last to the first.
  associatedtype ReverseIterator: IteratorProtocol<Element>

  /// Returns an iterator over the elements, from the last to the first.
  func makeReverseIterator() -> ReverseIterator
}

extension TreeCollection {
  /// The index of the first element: 0, except in a slice.
  /// - Complexity: O(1).
  @inlinable
  public var startIndex: Int { 0 }

  /// Returns the distance from one index to another. Either may be outside the collection.
  /// - Complexity: O(1).
  @inlinable
  public func distance(from start: Int, to end: Int) -> Int { end - start }

  /// The elements, in order, as an array.
  /// - Complexity: O(log *n* + *k*) for *k* elements. Prefer the collection itself.
  @inlinable
  public var elements: [Element] { mapByIterating { $0 } }

  /// Returns the results of a closure for the elements, in order.
  /// - Parameter transform: Returns the result for an element.
  /// - Throws: The error of the closure.
  /// - Complexity: O(log *n* + *k*) for *k* elements.
  @inlinable
  public func map<Result, Failure: Error>(
    _ transform: (Element) throws(Failure) -> Result
  ) throws(Failure) -> [Result] { try mapByIterating(transform) }

  /// Returns the index of the first element that satisfies a predicate, or `nil`.
  /// - Parameter predicate: Whether an element qualifies.
  /// - Throws: The error of the predicate.
  /// - Complexity: O(log *n* + *k*) for *k* elements.
  @inlinable
  public func firstIndex(where predicate: (Element) throws -> Bool) rethrows -> Int? {
    try firstIndexByIterating(where: predicate)
  }

  /// Returns the index of the last element that satisfies a predicate, or `nil`.
  /// - Parameter predicate: Whether an element qualifies.
  /// - Throws: The error of the predicate.
  /// - Complexity: O(log *n* + *k*) for *k* elements.
  @inlinable
  public func lastIndex(where predicate: (Element) throws -> Bool) rethrows -> Int? {
    var index = endIndex
    var iterator = makeReverseIterator()
    while let element = iterator.next() {
      index &-= 1
      if try predicate(element) { return index }
    }
    return nil
  }

  /// Returns the last element that satisfies a predicate, or `nil`.
  /// - Parameter predicate: Whether an element qualifies.
  /// - Throws: The error of the predicate.
  /// - Complexity: O(log *n* + *k*) for *k* elements.
  @inlinable
  public func last(where predicate: (Element) throws -> Bool) rethrows -> Element? {
    try lastIndex(where: predicate).map { self[$0] }
  }

  /// Returns the elements before the first one that does not satisfy a predicate.
  /// - Parameter predicate: Whether an element is part of the prefix.
  /// - Throws: The error of the predicate.
  /// - Complexity: O(log *n* + *k*) for *k* elements.
  @inlinable
  public func prefix(while predicate: (Element) throws -> Bool) rethrows -> SubSequence {
    self[startIndex..<(try firstIndex { try !predicate($0) } ?? endIndex)]
  }

  /// Returns the elements from the first one that does not satisfy a predicate.
  /// - Parameter predicate: Whether an element is skipped.
  /// - Throws: The error of the predicate.
  /// - Complexity: O(log *n* + *k*) for *k* elements.
  @inlinable
  public func drop(while predicate: (Element) throws -> Bool) rethrows -> SubSequence {
    self[(try firstIndex { try !predicate($0) } ?? endIndex)..<endIndex]
  }

  /// Returns the elements in reverse order, as a view.
  /// - Complexity: O(1).
  @inlinable
  public func reversed() -> ReversedTreeCollection<Self> { ReversedTreeCollection(self) }
}

extension TreeCollection where Element: Equatable {
  /// Returns the index of the first element that equals `element`, or `nil`.
  /// - Parameter element: The element.
  /// - Complexity: O(log *n* + *k*) for *k* elements.
  @inlinable
  public func firstIndex(of element: Element) -> Int? { firstIndex { $0 == element } }

  /// Returns the index of the last element that equals `element`, or `nil`.
  /// - Parameter element: The element.
  /// - Complexity: O(log *n* + *k*) for *k* elements.
  @inlinable
  public func lastIndex(of element: Element) -> Int? { lastIndex { $0 == element } }
}

extension TreeCollection where Self: Hashable, Element: Hashable {
  /// Hashes the elements in their order.
  /// - Complexity: O(log *n* + *k*) for *k* elements.
  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for element in self { hasher.combine(element) }
  }
}

extension TreeCollection where Self: Encodable, Element: Encodable {
  /// Encodes the elements in the same way as an array.
  /// - Throws: The error of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(elements)
  }
}

extension TreeCollection where Self: CustomStringConvertible {
  /// The elements, formatted like an array.
  public var description: String { elements.description }
}

extension TreeCollection where Self: CustomReflectable {
  /// A mirror of the elements, like that of an array.
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: self, displayStyle: .collection)
  }
}

/// The elements of a collection that is stored in a tree, from the last to the first.
///
/// An index is the distance from the first element of this collection.
@frozen
public struct ReversedTreeCollection<Base: TreeCollection> {
  @usableFromInline let base: Base

  @inlinable
  init(_ base: Base) { self.base = base }
}

extension ReversedTreeCollection: Sendable where Base: Sendable {}

extension ReversedTreeCollection: TreeCollection {
  /// The index after the last element.
  /// - Complexity: O(1).
  @inlinable
  public var endIndex: Int { base.count }

  /// The element at an index.
  /// - Precondition: The index is valid.
  /// - Complexity: O(log *n*).
  @inlinable
  public subscript(index: Int) -> Base.Element { base[base.endIndex - 1 - index] }

  /// Returns an iterator over the elements, in the order of this collection.
  /// - Complexity: O(log *n*).
  @inlinable
  public func makeIterator() -> Base.ReverseIterator { base.makeReverseIterator() }

  /// Returns an iterator over the elements, in the order of the base collection.
  /// - Complexity: O(log *n*).
  @inlinable
  public func makeReverseIterator() -> Base.Iterator { base.makeIterator() }
}

extension Collection where Index == Int {
  /// Returns the results of a closure for the elements, in order. Uses an iterator rather than
  /// indices.
  /// - Throws: The error of the closure.
  /// - Complexity: O(*n*).
  @inlinable
  @inline(__always)
  package func mapByIterating<Result, Failure: Error>(
    _ transform: (Element) throws(Failure) -> Result
  ) throws(Failure) -> [Result] {
    var results: [Result] = []
    results.reserveCapacity(count)
    var iterator = makeIterator()
    // The element is not stored in a variable, because it would be retained until its result is
    // appended.
    while let result = try iterator.next().map(transform) { results.append(result) }
    return results
  }

  /// Returns the index of the first element that satisfies a predicate, or `nil`. Uses an iterator
  /// rather than indices.
  /// - Throws: The error of the predicate.
  /// - Complexity: O(*n*).
  @inlinable
  @inline(__always)
  package func firstIndexByIterating(
    where predicate: (Element) throws -> Bool
  ) rethrows -> Int? {
    var index = startIndex
    var iterator = makeIterator()
    while let element = iterator.next() {
      if try predicate(element) { return index }
      index &+= 1
    }
    return nil
  }
}
