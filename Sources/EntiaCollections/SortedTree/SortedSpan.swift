/// The adjacent elements of a leaf, and the position of the leaf in the tree.
///
/// Iterators use it to move from one leaf to its neighbor without a search while both have the same
/// parent.
@frozen
@usableFromInline
struct SortedSpan<Layout: SortedElements> {
  @usableFromInline typealias Leaves = SortedLeaves<Layout.Element>
  @usableFromInline typealias Nodes = SortedNodes<Layout.Element>

  /// The node above the leaf; `nil` above a lone leaf and before the first search.
  @usableFromInline var parent: NodePointer?
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
  ) -> (elements: UnsafeMutablePointer<Layout.Element>, slot: Int, count: Int) {
    var node = borrowed(tree.root.unsafelyUnwrapped)
    var rest = rank
    var level = tree.height
    while level > 0 {
      let branches = Nodes.branches(node)
      var branch = 0
      while rest >= branches[branch].count {
        rest &-= branches[branch].count
        branch &+= 1
      }
      parent = node
      index = branch
      node = branches[branch].child
      level &-= 1
    }
    return (Leaves.elements(node), rest, Leaves.count(node))
  }

  /// Moves to an adjacent leaf under the same parent; `nil` if there is none.
  @inlinable
  @inline(__always)
  mutating func step(
    _ distance: Int
  ) -> (elements: UnsafeMutablePointer<Layout.Element>, count: Int)? {
    guard let parent else { return nil }
    let next = index &+ distance
    guard next >= 0, next < Nodes.count(parent) else { return nil }
    index = next
    let branch = Nodes.branches(parent) + next
    return (Leaves.elements(branch.pointee.child), branch.pointee.count)
  }
}
