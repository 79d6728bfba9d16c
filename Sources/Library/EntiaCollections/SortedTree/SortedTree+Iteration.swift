extension SortedTree {
  /// Returns the results of a closure for the elements, in order.
  /// - Parameter transform: Returns the result for an element.
  /// - Throws: The error of the closure.
  /// - Complexity: O(*n*).
  @inlinable
  public func map<Result, Failure: Error>(
    _ transform: (Element) throws(Failure) -> Result
  ) throws(Failure) -> [Result] { try mapByIterating(transform) }

  /// Returns the rank of the first element that satisfies a predicate, or `nil`.
  /// - Parameter predicate: Whether an element qualifies.
  /// - Throws: The error of the predicate.
  /// - Complexity: O(*n*).
  @inlinable
  public func firstIndex(where predicate: (Element) throws -> Bool) rethrows -> Int? {
    try firstIndexByIterating(where: predicate)
  }
}

extension SortedSlice {
  /// Returns the results of a closure for the elements, in order.
  /// - Parameter transform: Returns the result for an element.
  /// - Throws: The error of the closure.
  /// - Complexity: O(*n*).
  @inlinable
  public func map<Result, Failure: Error>(
    _ transform: (Layout.Element) throws(Failure) -> Result
  ) throws(Failure) -> [Result] { try mapByIterating(transform) }

  /// Returns the rank of the first element that satisfies a predicate, or `nil`.
  /// - Parameter predicate: Whether an element qualifies.
  /// - Throws: The error of the predicate.
  /// - Complexity: O(*n*).
  @inlinable
  public func firstIndex(where predicate: (Layout.Element) throws -> Bool) rethrows -> Int? {
    try firstIndexByIterating(where: predicate)
  }
}
