/// A range of a sorted tree's elements, indexed by their ranks in the whole tree.
///
/// Iterating over it is as fast as iterating over an array of pieces. Access to a single element by
/// its rank is O(log *n*).
@frozen
public struct SortedSlice<Layout: SortedElements> {
  /// The tree that contains the elements.
  public let tree: SortedTree<Layout>
  /// The ranks of the elements in the tree.
  public let ranks: Range<Int>

  @inlinable
  init(_ tree: SortedTree<Layout>, _ ranks: Range<Int>) {
    self.tree = tree
    self.ranks = ranks
  }

  /// Calls the closure with every element, in order.
  /// - Throws: The error of the closure.
  /// - Complexity: O(log *n* + *k*) for *k* elements, with no work for an element except the call.
  @inlinable
  @inline(__always)
  public func forEach<Failure: Error>(
    _ body: (Layout.Element) throws(Failure) -> Void
  ) throws(Failure) {
    var leaves = SortedLeafCursor(tree, ranks)
    try leaves.forEach(body)
  }
}

extension SortedSlice: TreeCollection {
  /// The rank of the first element.
  /// - Complexity: O(1).
  @inlinable
  public var startIndex: Int { ranks.lowerBound }

  /// The rank after the last element.
  /// - Complexity: O(1).
  @inlinable
  public var endIndex: Int { ranks.upperBound }

  /// The element with a rank, which must be in the slice.
  /// - Complexity: O(log *n*).
  @inlinable
  public subscript(rank: Int) -> Layout.Element {
    precondition(ranks.contains(rank), "rank outside the slice")
    return tree[rank]
  }

  /// The elements with ranks in a range, which must be within the slice.
  /// - Complexity: O(1).
  @inlinable
  public subscript(bounds: Range<Int>) -> Self {
    precondition(
      bounds.lowerBound >= startIndex && bounds.upperBound <= endIndex,
      "ranks outside the slice")
    return Self(tree, bounds)
  }

  /// Returns an iterator over the elements, in order.
  /// - Complexity: O(1).
  @inlinable
  public func makeIterator() -> SortedIterator<Layout> { SortedIterator(tree, ranks) }

  /// Returns an iterator over the elements, from the last to the first.
  /// - Complexity: O(1).
  @inlinable
  public func makeReverseIterator() -> SortedReverseIterator<Layout> {
    SortedReverseIterator(tree, ranks)
  }
}

extension SortedSlice: Sendable where Layout.Element: Sendable {}
