// The standard library's defaults for collections look up every index, which is O(log n) in a tree.
extension Collection where Index == Int {
  /// Returns the results of a closure for the elements, in order, by an iterator.
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
    while let element = iterator.next() { results.append(try transform(element)) }
    return results
  }

  /// Returns the index of the first element that satisfies a predicate, or `nil`, by an iterator.
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
