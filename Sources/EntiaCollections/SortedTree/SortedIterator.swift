/// An iterator over elements of one version of a sorted tree, in order.
@frozen
public struct SortedIterator<Layout: SortedElements>: IteratorProtocol {
  @usableFromInline let tree: SortedTree<Layout>
  @usableFromInline var span: SortedSpan<Layout>
  /// The address of the next element, and the end of the remaining elements in its leaf.
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

  /// Returns the next element, or `nil` after the last.
  /// - Complexity: O(1) amortized; O(log *n*) for the first.
  @inlinable
  @inline(__always)
  public mutating func next() -> Layout.Element? {
    if position == end, !advance() { return nil }
    let element = position.unsafelyUnwrapped
    position = element + 1
    return element.pointee
  }

  /// Calls the closure with every element from the next leaf on.
  @inlinable
  @inline(__always)
  mutating func forEachRemaining<Failure: Error>(
    _ body: (Layout.Element) throws(Failure) -> Void
  ) throws(Failure) {
    while advance() {
      var position = position.unsafelyUnwrapped
      let end = end.unsafelyUnwrapped
      while position != end {
        try body(position.pointee)
        position += 1
      }
    }
    withExtendedLifetime(tree) {}
  }

  /// Moves to the next leaf; returns `false` if there is none.
  @inlinable
  @inline(never)
  mutating func advance() -> Bool {
    if ranks.isEmpty { return false }
    let start: UnsafePointer<Layout.Element>
    let available: Int
    if let next = span.step(1) {
      start = next.elements
      available = next.count
    } else {
      let found = span.seek(ranks.lowerBound, in: tree)
      start = found.elements + found.slot
      available = found.count &- found.slot
    }
    let taken = min(available, ranks.count)
    position = start
    end = start + taken
    ranks = (ranks.lowerBound &+ taken)..<ranks.upperBound
    return true
  }
}

// The iterator's addresses point into nodes that its own tree keeps alive and unchanged.
extension SortedIterator: @unchecked Sendable where Layout.Element: Sendable {}
