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

  /// Returns the elements from the last to the first.
  /// - Complexity: O(1).
  @inlinable
  public func reversed() -> SortedReversed<Layout> { SortedReversed(self) }

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

extension SortedSlice: RandomAccessCollection {
  /// A slice of a slice: elements indexed by their ranks.
  public typealias SubSequence = Self

  /// The rank of the first element.
  /// - Complexity: O(1).
  @inlinable
  public var startIndex: Int { ranks.lowerBound }

  /// The rank after the last element.
  /// - Complexity: O(1).
  @inlinable
  public var endIndex: Int { ranks.upperBound }

  /// Returns the distance from one rank to another.
  /// - Complexity: O(1).
  @inlinable
  public func distance(from start: Int, to end: Int) -> Int { end - start }

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
}

extension SortedSlice: Sendable where Layout.Element: Sendable {}

/// The elements of a sorted tree from the last to the first.
@frozen
public struct SortedReversed<Layout: SortedElements>: Sequence {
  @usableFromInline let slice: SortedSlice<Layout>

  @inlinable
  init(_ slice: SortedSlice<Layout>) { self.slice = slice }

  /// The number of elements.
  @inlinable
  public var underestimatedCount: Int { slice.count }

  /// Returns an iterator over the elements, from the last to the first.
  /// - Complexity: O(1).
  @inlinable
  public func makeIterator() -> Iterator { Iterator(slice.tree, slice.ranks) }

  /// An iterator over elements of one version of a sorted tree, in reverse order.
  @frozen
  public struct Iterator: IteratorProtocol {
    @usableFromInline let tree: SortedTree<Layout>
    @usableFromInline var span: SortedSpan<Layout>
    /// The address after the next element, and the start of the remaining elements in its leaf.
    @usableFromInline var position: UnsafePointer<Layout.Element>?
    @usableFromInline var end: UnsafePointer<Layout.Element>?
    /// The remaining ranks in other leaves.
    @usableFromInline var ranks: Range<Int>

    @inlinable
    init(_ tree: SortedTree<Layout>, _ ranks: Range<Int>) {
      self.tree = tree
      self.ranks = ranks
      span = SortedSpan()
    }

    /// Returns the next element, or `nil` after the first of the order.
    /// - Complexity: O(1) amortized; O(log *n*) for the first.
    @inlinable
    @inline(__always)
    public mutating func next() -> Layout.Element? {
      if position == end, !advance() { return nil }
      let element = position.unsafelyUnwrapped - 1
      position = element
      return element.pointee
    }

    /// Moves to the previous leaf; returns `false` if there is none.
    // Inlined, unlike the call of the span, so that a loop keeps the addresses in registers.
    @inlinable
    @inline(__always)
    mutating func advance() -> Bool {
      if ranks.isEmpty { return false }
      let leaf = span.previous(endingAt: ranks.upperBound, in: tree)
      let taken = Swift.min(leaf.count, ranks.count)
      position = leaf.elements + leaf.count
      end = leaf.elements + (leaf.count &- taken)
      ranks = ranks.lowerBound..<(ranks.upperBound &- taken)
      return true
    }
  }
}

extension SortedReversed: Sendable where Layout.Element: Sendable {}
// The iterator's addresses point into nodes that its own tree keeps alive and unchanged.
extension SortedReversed.Iterator: @unchecked Sendable where Layout.Element: Sendable {}
