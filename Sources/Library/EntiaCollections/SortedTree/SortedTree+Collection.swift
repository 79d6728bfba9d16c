// Access to an element by its rank is O(log n), where the protocol expects O(1). All other
// operations, including iteration, have the complexity that the protocol requires.
extension SortedTree: RandomAccessCollection {
  /// A slice of the tree: elements indexed by their ranks.
  public typealias SubSequence = SortedSlice<Layout>

  /// The rank of the first element: 0.
  /// - Complexity: O(1).
  @inlinable
  public var startIndex: Int { 0 }

  /// The rank after the last element.
  /// - Complexity: O(1).
  @inlinable
  public var endIndex: Int { elementCount }

  /// Returns the distance from one rank to another.
  /// - Complexity: O(1).
  @inlinable
  public func distance(from start: Int, to end: Int) -> Int { end - start }

  /// The element with a rank, which must be in the tree. Use `nth` for a rank that may not be.
  /// - Complexity: O(log *n*).
  @inlinable
  public subscript(rank: Int) -> Element {
    precondition(rank >= 0 && rank < elementCount, "rank outside the tree")
    return element(at: rank)
  }

  /// The elements with ranks in a range, which must be within the tree.
  /// - Complexity: O(1).
  @inlinable
  public subscript(bounds: Range<Int>) -> SortedSlice<Layout> {
    precondition(
      bounds.lowerBound >= 0 && bounds.upperBound <= elementCount, "ranks outside the tree")
    return SortedSlice(self, bounds)
  }

  /// Returns the element with a rank, or `nil` if the tree has no such element.
  /// - Complexity: O(log *n*).
  @inlinable
  public func nth(_ rank: Int) -> Element? {
    rank >= 0 && rank < elementCount ? element(at: rank) : nil
  }

  /// The first element, or `nil` in an empty tree.
  /// - Complexity: O(1).
  @inlinable
  public var first: Element? {
    guard let root else { return nil }
    let element = Self.first(of: rootNode, level: height)
    withExtendedLifetime(root) {}
    return element
  }

  /// The last element, or `nil` in an empty tree.
  /// - Complexity: O(log *n*).
  @inlinable
  public var last: Element? { nth(elementCount &- 1) }

  /// Returns the elements with keys between two bounds, in order.
  /// - Complexity: O(log *n*).
  @inlinable
  public func slice(
    from lower: SortedBound<Key> = .unbounded, to upper: SortedBound<Key> = .unbounded
  ) -> SortedSlice<Layout> {
    SortedSlice(self, ranks(from: lower, to: upper))
  }

  /// Returns the elements from the last to the first.
  /// - Complexity: O(1).
  @inlinable
  public func reversed() -> SortedReversed<Layout> { slice().reversed() }

  /// Returns an iterator over the elements, in order.
  /// - Complexity: O(1).
  @inlinable
  public func makeIterator() -> SortedIterator<Layout> {
    SortedIterator(self, 0..<elementCount)
  }

  /// Calls the closure with every element, in order.
  /// - Throws: The error of the closure.
  /// - Complexity: O(*n*), with no work for an element except the call.
  @inlinable
  @inline(__always)
  public func forEach<Failure: Error>(
    _ body: (Element) throws(Failure) -> Void
  ) throws(Failure) {
    var leaves = SortedLeafCursor(self, 0..<elementCount)
    try leaves.forEach(body)
  }

  @inlinable
  func element(at rank: Int) -> Element {
    var span = SortedSpan<Layout>()
    let found = span.seek(rank, in: self)
    let element = found.elements[found.slot]
    withExtendedLifetime(root) {}
    return element
  }
}
