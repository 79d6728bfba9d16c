public import EntiaCollections

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
