/// An iterator over elements of one version of a sorted tree, in order.
@frozen
public struct SortedIterator<Layout: SortedElements>: IteratorProtocol {
  // A separate structure, so that a loop keeps the addresses below in registers.
  @usableFromInline var leaves: SortedLeafCursor<Layout>
  /// The address of the next element, and the end of the remaining elements in its leaf.
  @usableFromInline var position: UnsafePointer<Layout.Element>?
  @usableFromInline var end: UnsafePointer<Layout.Element>?

  @inlinable
  init(_ tree: SortedTree<Layout>, _ ranks: Range<Int>) {
    leaves = SortedLeafCursor(tree, ranks)
    position = nil
    end = nil
  }

  /// Returns the next element, or `nil` after the last.
  /// - Complexity: O(1) amortized; O(log *n*) for the first.
  @inlinable
  @inline(__always)
  public mutating func next() -> Layout.Element? {
    if position == end {
      guard let leaf = leaves.next() else { return nil }
      position = leaf.start
      end = leaf.start + leaf.count
    }
    let element = position.unsafelyUnwrapped
    position = element + 1
    return element.pointee
  }
}

/// An iterator over elements of one version of a sorted tree, in reverse order.
@frozen
public struct SortedReverseIterator<Layout: SortedElements>: IteratorProtocol {
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
    let taken = min(leaf.count, ranks.count)
    position = leaf.elements + leaf.count
    end = leaf.elements + (leaf.count &- taken)
    ranks = ranks.lowerBound..<(ranks.upperBound &- taken)
    return true
  }
}

/// Visits the leaves of one version of a sorted tree that hold elements with some ranks, in order.
@frozen
@usableFromInline
struct SortedLeafCursor<Layout: SortedElements> {
  @usableFromInline let tree: SortedTree<Layout>
  @usableFromInline var span: SortedSpan<Layout>
  /// The remaining ranks.
  @usableFromInline var ranks: Range<Int>

  @inlinable
  init(_ tree: SortedTree<Layout>, _ ranks: Range<Int>) {
    self.tree = tree
    self.ranks = ranks
    span = SortedSpan()
  }

  /// Returns the elements with the next ranks, all of one leaf, or `nil` after the last. The
  /// addresses are valid while the cursor exists.
  @inlinable
  @inline(never)
  mutating func next() -> (start: UnsafePointer<Layout.Element>, count: Int)? {
    if ranks.isEmpty { return nil }
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
    // Leaves of small trees are usually cached.
    if tree.height > 2, !span.prefetchNext() { return nil }
    let taken = min(available, ranks.count)
    ranks = (ranks.lowerBound &+ taken)..<ranks.upperBound
    return (start, taken)
  }

  /// Calls the closure with every element.
  @inlinable
  @inline(__always)
  mutating func forEach<Failure: Error>(
    _ body: (Layout.Element) throws(Failure) -> Void
  ) throws(Failure) {
    while let leaf = next() {
      let start = leaf.start
      for index in 0..<leaf.count { try body(start[index]) }
    }
    withExtendedLifetime(tree) {}
  }
}

// The iterators' addresses point into nodes that their own trees keep alive and unchanged.
extension SortedIterator: @unchecked Sendable where Layout.Element: Sendable {}
extension SortedReverseIterator: @unchecked Sendable where Layout.Element: Sendable {}
