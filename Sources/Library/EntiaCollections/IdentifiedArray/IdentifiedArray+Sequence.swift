// The standard library's defaults for collections look up every position, which is O(log n).
extension IdentifiedArray {
  /// Calls the closure with every element, in order.
  /// - Throws: The error of the closure.
  /// - Complexity: O(*n*).
  @inlinable
  public func forEach<Failure: Error>(
    _ body: (Element) throws(Failure) -> Void
  ) throws(Failure) {
    var iterator = table.makeIterator()
    while let entry = iterator.nextPointer() { try body(entry.pointee.value) }
    withExtendedLifetime(iterator) {}
  }

  /// Returns the elements that satisfy a predicate, as an identified array.
  /// - Throws: The error of the predicate.
  /// - Complexity: O(*n*).
  @inlinable
  public func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> Self {
    var builder = OrderedTableBuilder<Layout>()
    var iterator = table.makeIterator()
    while let entry = iterator.nextPointer() {
      guard try isIncluded(entry.pointee.value) else { continue }
      builder.append(entry.pointee, tag: table.tag(of: entry.pointee.key))
    }
    withExtendedLifetime(iterator) {}
    return Self(at: idPath, table: builder.finish())
  }

  /// Returns the results of a closure for the elements, in order.
  /// - Parameter transform: Returns the result for an element.
  /// - Throws: The error of the closure.
  /// - Complexity: O(*n*).
  @inlinable
  public func map<Result, Failure: Error>(
    _ transform: (Element) throws(Failure) -> Result
  ) throws(Failure) -> [Result] {
    try self[...].map(transform)
  }

  /// Returns the position of the first element that satisfies a predicate, or `nil`.
  /// - Parameter predicate: Whether an element qualifies.
  /// - Throws: The error of the predicate.
  /// - Complexity: O(*n*).
  @inlinable
  public func firstIndex(where predicate: (Element) throws -> Bool) rethrows -> Int? {
    try self[...].firstIndex(where: predicate)
  }

  /// Returns the position of the last element that satisfies a predicate, or `nil`.
  /// - Parameter predicate: Whether an element qualifies.
  /// - Throws: The error of the predicate.
  /// - Complexity: O(*n*).
  @inlinable
  public func lastIndex(where predicate: (Element) throws -> Bool) rethrows -> Int? {
    try self[...].lastIndex(where: predicate)
  }

  /// Returns the last element that satisfies a predicate, or `nil`.
  /// - Parameter predicate: Whether an element qualifies.
  /// - Throws: The error of the predicate.
  /// - Complexity: O(*n*).
  @inlinable
  public func last(where predicate: (Element) throws -> Bool) rethrows -> Element? {
    try self[...].last(where: predicate)
  }

  /// Returns the elements before the first one that does not satisfy a predicate.
  /// - Parameter predicate: Whether an element is part of the prefix.
  /// - Throws: The error of the predicate.
  /// - Complexity: O(*n*).
  @inlinable
  public func prefix(while predicate: (Element) throws -> Bool) rethrows -> SubSequence {
    try self[...].prefix(while: predicate)
  }

  /// Returns the elements from the first one that does not satisfy a predicate.
  /// - Parameter predicate: Whether an element is skipped.
  /// - Throws: The error of the predicate.
  /// - Complexity: O(*n*).
  @inlinable
  public func drop(while predicate: (Element) throws -> Bool) rethrows -> SubSequence {
    try self[...].drop(while: predicate)
  }

  /// Returns the elements in reverse order, as a view.
  /// - Complexity: O(1).
  @inlinable
  public func reversed() -> IdentifiedArrayReversed<ID, Element> { self[...].reversed() }
}

extension IdentifiedArray where Element: Equatable {
  /// Returns the position of the first element that equals another, or `nil`. `index(id:)` is
  /// faster.
  /// - Parameter element: The element.
  /// - Complexity: O(*n*).
  @inlinable
  public func firstIndex(of element: Element) -> Int? { firstIndex { $0 == element } }

  /// Returns the position of the last element that equals another, or `nil`. `index(id:)` is
  /// faster.
  /// - Parameter element: The element.
  /// - Complexity: O(*n*).
  @inlinable
  public func lastIndex(of element: Element) -> Int? { lastIndex { $0 == element } }
}
