// The standard library's defaults for collections look up every position, which is O(log n).
extension IdentifiedArraySlice {
  /// Calls the closure with every element, in order.
  /// - Throws: The error of the closure.
  /// - Complexity: O(log *n* + *k*) for *k* elements.
  @inlinable
  public func forEach<Failure: Error>(
    _ body: (Element) throws(Failure) -> Void
  ) throws(Failure) {
    var entries = array.table.makeIterator(of: stored)
    while let entry = entries.nextPointer() { try body(entry.pointee.value) }
    withExtendedLifetime(entries) {}
  }

  /// Returns the results of a closure for the elements, in order.
  /// - Parameter transform: Returns the result for an element.
  /// - Throws: The error of the closure.
  /// - Complexity: O(log *n* + *k*) for *k* elements.
  @inlinable
  public func map<Result, Failure: Error>(
    _ transform: (Element) throws(Failure) -> Result
  ) throws(Failure) -> [Result] {
    var results: [Result] = []
    results.reserveCapacity(count)
    var entries = array.table.makeIterator(of: stored)
    while let entry = entries.nextPointer() { results.append(try transform(entry.pointee.value)) }
    withExtendedLifetime(entries) {}
    return results
  }

  /// Returns the position of the first element that satisfies a predicate, or `nil`.
  /// - Parameter predicate: Whether an element qualifies.
  /// - Throws: The error of the predicate.
  /// - Complexity: O(log *n* + *k*) for *k* elements.
  @inlinable
  public func firstIndex(where predicate: (Element) throws -> Bool) rethrows -> Int? {
    var position = startIndex
    var entries = array.table.makeIterator(of: stored)
    while let entry = entries.nextPointer() {
      if try predicate(entry.pointee.value) { return position }
      position &+= 1
    }
    withExtendedLifetime(entries) {}
    return nil
  }

  /// Returns the position of the last element that satisfies a predicate, or `nil`.
  /// - Parameter predicate: Whether an element qualifies.
  /// - Throws: The error of the predicate.
  /// - Complexity: O(log *n* + *k*) for *k* elements.
  @inlinable
  public func lastIndex(where predicate: (Element) throws -> Bool) rethrows -> Int? {
    var position = endIndex
    var entries = OrderedReverseIterator(array.table, stored)
    while let entry = entries.nextPointer() {
      position &-= 1
      if try predicate(entry.pointee.value) { return position }
    }
    withExtendedLifetime(entries) {}
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
  public func prefix(while predicate: (Element) throws -> Bool) rethrows -> Self {
    self[startIndex..<(try firstIndex { try !predicate($0) } ?? endIndex)]
  }

  /// Returns the elements from the first one that does not satisfy a predicate.
  /// - Parameter predicate: Whether an element is skipped.
  /// - Throws: The error of the predicate.
  /// - Complexity: O(log *n* + *k*) for *k* elements.
  @inlinable
  public func drop(while predicate: (Element) throws -> Bool) rethrows -> Self {
    self[(try firstIndex { try !predicate($0) } ?? endIndex)..<endIndex]
  }

  /// Returns the elements in reverse order, as a view.
  /// - Complexity: O(1).
  @inlinable
  public func reversed() -> IdentifiedArrayReversed<ID, Element> {
    IdentifiedArrayReversed(self)
  }
}

extension IdentifiedArraySlice where Element: Equatable {
  /// Returns the position of the first element that equals another, or `nil`.
  /// - Parameter element: The element.
  /// - Complexity: O(log *n* + *k*) for *k* elements.
  @inlinable
  public func firstIndex(of element: Element) -> Int? { firstIndex { $0 == element } }

  /// Returns the position of the last element that equals another, or `nil`.
  /// - Parameter element: The element.
  /// - Complexity: O(log *n* + *k*) for *k* elements.
  @inlinable
  public func lastIndex(of element: Element) -> Int? { lastIndex { $0 == element } }
}
