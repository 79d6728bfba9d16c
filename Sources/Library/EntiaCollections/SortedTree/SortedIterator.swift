/// An iterator over elements of one version of a sorted tree, in order.
@frozen
@usableFromInline
struct SortedIterator<Layout: SortedElements>: IteratorProtocol {
  // A separate structure, so that a loop keeps the addresses below in registers.
  @usableFromInline var leaves: SortedLeafCursor<Layout>
  /// The address of the next element.
  @usableFromInline var position: UnsafePointer<Layout.Element>?
  /// The value of `position` after all elements of the leaf have been returned.
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
  mutating func next() -> Layout.Element? {
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
@usableFromInline
struct SortedReverseIterator<Layout: SortedElements>: IteratorProtocol {
  @usableFromInline let tree: SortedTree<Layout>
  @usableFromInline var span: SortedSpan<Layout>
  /// The address after the next element.
  @usableFromInline var position: UnsafePointer<Layout.Element>?
  /// The value of `position` after all elements of the leaf have been returned.
  @usableFromInline var end: UnsafePointer<Layout.Element>?
  /// The remaining ranks in other leaves.
  @usableFromInline var ranks: Range<Int>

  @inlinable
  init(_ tree: SortedTree<Layout>, _ ranks: Range<Int>) {
    self.tree = tree
    self.ranks = ranks
    span = SortedSpan()
  }

  /// Returns the next element in reverse order, or `nil` if there are no more.
  /// - Complexity: O(1) amortized; O(log *n*) for the first.
  @inlinable
  @inline(__always)
  mutating func next() -> Layout.Element? {
    if position == end, !advance() { return nil }
    let element = position.unsafelyUnwrapped - 1
    position = element
    return element.pointee
  }

  /// Moves to the previous leaf; returns `false` if there is none.
  // Inlined, so that a loop keeps the addresses in registers. `span.previous(endingAt:in:)` is not
  // inlined.
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

/// Visits the elements in a range of ranks, leaf by leaf and in order, in one version of a sorted
/// tree.
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

  /// Returns the start and the count of the next elements, all of which are in the same leaf.
  /// Returns `nil` after the last element. The addresses are valid while the cursor exists.
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
    // Leaves of small trees are not prefetched, because they are usually cached.
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

/// Visits a tree unit by unit. A unit is a node that has not been entered, or the rest of a leaf.
@frozen
@usableFromInline
struct SortedCursor<Layout: SortedElements> {
  @usableFromInline typealias Node = NodeRef<SortedTreeNode<Layout.Element>>

  /// A node on the path from the root, and the index of the cursor's branch in it.
  @frozen
  @usableFromInline
  struct Step {
    @usableFromInline let node: Node
    @usableFromInline var index: Int

    @inlinable
    init(node: Node, index: Int) {
      self.node = node
      self.index = index
    }
  }

  @usableFromInline var steps: [Step]
  /// The current node; `nil` at the end.
  @usableFromInline var unit: Node?
  /// The level of the current node; 0 for a leaf.
  @usableFromInline var level: Int
  /// The number of elements of the current leaf that have been visited.
  @usableFromInline var slot: Int

  @inlinable
  init(_ tree: SortedTree<Layout>) {
    steps = []
    steps.reserveCapacity(tree.height)
    unit = tree.root == nil ? nil : tree.rootNode
    level = tree.height
    slot = 0
  }

  /// Enters the current inner node by moving to its first child.
  @inlinable
  mutating func descend() {
    guard let node = unit else { return }
    TableWork.note(.nodeVisited)
    steps.append(Step(node: node, index: 0))
    unit = node.inner.elements.pointee.child
    level &-= 1
  }

  /// Moves to the next node, which is the right neighbor of the current node or of a node above it.
  @inlinable
  mutating func advance() {
    slot = 0
    while let step = steps.last {
      let next = step.index &+ 1
      if next < step.node.inner.count {
        steps[steps.count &- 1].index = next
        unit = step.node.inner.elements[next].child
        return
      }
      steps.removeLast()
      level &+= 1
    }
    unit = nil
  }

  /// Returns the next element, entering nodes as needed; `nil` at the end.
  @inlinable
  mutating func nextElement() -> UnsafePointer<Layout.Element>? {
    while level > 0, unit != nil { descend() }
    guard let leaf = unit?.leaf else { return nil }
    if slot == 0 { TableWork.note(.nodeVisited) }
    let element = leaf.elements + slot
    slot &+= 1
    if slot == leaf.count { advance() }
    return element
  }
}
