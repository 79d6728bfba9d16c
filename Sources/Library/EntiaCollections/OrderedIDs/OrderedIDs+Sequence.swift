// The standard library's defaults for collections look up every position, which is O(log n).
extension OrderedIDs {
  /// Calls the closure with every ID, in order.
  /// - Throws: The error of the closure.
  /// - Complexity: O(*n*).
  @inlinable
  public func forEach<Failure: Error>(
    _ body: (ID) throws(Failure) -> Void
  ) throws(Failure) {
    var keys = table.makeIterator()
    while let key = keys.nextPointer() { try body(key.pointee.id) }
    withExtendedLifetime(keys) {}
  }

  /// Returns the results of a closure for the IDs, in order.
  /// - Parameter transform: Returns the result for an ID.
  /// - Throws: The error of the closure.
  /// - Complexity: O(*n*).
  @inlinable
  public func map<Result, Failure: Error>(
    _ transform: (ID) throws(Failure) -> Result
  ) throws(Failure) -> [Result] {
    var results: [Result] = []
    results.reserveCapacity(count)
    var keys = table.makeIterator()
    while let key = keys.nextPointer() { results.append(try transform(key.pointee.id)) }
    withExtendedLifetime(keys) {}
    return results
  }

  /// Returns the position of the first ID that satisfies a predicate, or `nil`.
  /// - Parameter predicate: Whether an ID qualifies.
  /// - Throws: The error of the predicate.
  /// - Complexity: O(*n*).
  @inlinable
  public func firstIndex(where predicate: (ID) throws -> Bool) rethrows -> Int? {
    var position = 0
    var keys = table.makeIterator()
    while let key = keys.nextPointer() {
      if try predicate(key.pointee.id) { return position }
      position &+= 1
    }
    withExtendedLifetime(keys) {}
    return nil
  }

  /// Returns the position of the last ID that satisfies a predicate, or `nil`.
  /// - Parameter predicate: Whether an ID qualifies.
  /// - Throws: The error of the predicate.
  /// - Complexity: O(*n*).
  @inlinable
  public func lastIndex(where predicate: (ID) throws -> Bool) rethrows -> Int? {
    var position = count
    var keys = OrderedReverseIterator(table, 0..<count)
    while let key = keys.nextPointer() {
      position &-= 1
      if try predicate(key.pointee.id) { return position }
    }
    withExtendedLifetime(keys) {}
    return nil
  }
}
