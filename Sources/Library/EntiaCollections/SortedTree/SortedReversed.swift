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
