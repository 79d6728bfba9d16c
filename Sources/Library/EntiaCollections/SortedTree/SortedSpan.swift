/// The adjacent elements of a leaf, and the position of the leaf in the tree.
///
/// Iterators use it to move from one leaf to its neighbor without a search while both have the same
/// parent.
@frozen
@usableFromInline
struct SortedSpan<Layout: SortedElements> {
  /// The node above the leaf; `nil` above a lone leaf and before the first search.
  @usableFromInline var parent: SortedInnerHandle<Layout.Element>?
  @usableFromInline var index: Int

  @inlinable
  init() {
    parent = nil
    index = 0
  }

  /// Moves to the leaf that holds a rank, and returns the leaf's elements and the rank's slot among
  /// them.
  @inlinable
  mutating func seek(
    _ rank: Int, in tree: SortedTree<Layout>
  ) -> (elements: UnsafePointer<Layout.Element>, slot: Int, count: Int) {
    var node = tree.rootNode
    var rest = rank
    var level = tree.height
    while level > 0 {
      let branches = node.inner.elements
      var branch = 0
      while rest >= branches[branch].count {
        rest &-= branches[branch].count
        branch &+= 1
      }
      parent = node.inner
      index = branch
      node = branches[branch].child
      level &-= 1
    }
    return (node.leaf.elements, rest, node.leaf.count)
  }

  /// Moves to an adjacent leaf under the same parent; `nil` if there is none.
  @inlinable
  @inline(__always)
  mutating func step(
    _ distance: Int
  ) -> (elements: UnsafePointer<Layout.Element>, count: Int)? {
    guard let parent else { return nil }
    let next = index &+ distance
    guard next >= 0, next < parent.count else { return nil }
    index = next
    let branch = parent.elements + next
    return (branch.pointee.child.leaf.elements, branch.pointee.count)
  }

  /// Moves to the leaf of the last element before a rank, and returns the leaf's elements and the
  /// number of them before the rank. To move backward, call only this method, each time with the
  /// rank of the first element of the last leaf.
  @inlinable
  @inline(never)
  mutating func previous(
    endingAt rank: Int, in tree: SortedTree<Layout>
  ) -> (elements: UnsafePointer<Layout.Element>, count: Int) {
    if let leaf = step(-1) { return leaf }
    let found = seek(rank &- 1, in: tree)
    return (found.elements, found.slot &+ 1)
  }

  /// Prefetches the next leaf under the same parent. It returns `true`, and the caller must use the
  /// result. Otherwise the optimizer would remove the loads.
  @inlinable
  @inline(__always)
  func prefetchNext() -> Bool {
    guard let parent, index &+ 1 < parent.count else { return true }
    let next = parent.elements + (index &+ 1)
    return next.pointee.child.leaf.prefetch(count: next.pointee.count)
  }
}
