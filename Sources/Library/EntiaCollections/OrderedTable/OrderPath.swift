/// The descent through the order tree of a table, which must be kept alive.
///
/// A value of plain words, so that passing it to a function retains nothing.
@frozen
@usableFromInline
struct OrderPath {
  @usableFromInline typealias Arena = NodeArena<OrderedBranch>

  /// The root of the order tree.
  @usableFromInline let root: NodeRef<OrderedBranch>
  /// The root of the radix tree of the branches, and its height.
  @usableFromInline let nodes: AnyNode
  @usableFromInline let height: UInt8

  @inlinable
  @inline(__always)
  init(root: NodeRef<OrderedBranch>, nodes: AnyNode, height: UInt8) {
    self.root = root
    self.nodes = nodes
    self.height = height
  }

  /// Returns the place of the element at a position.
  @inlinable
  @inline(__always)
  func place(at position: Int) -> OrderedPlace {
    descend(to: position) { $0.index(containing: $1) }
  }

  /// Returns the place for a new element at a position: after the element before it.
  @inlinable
  @inline(__always)
  func insertionPlace(at position: Int) -> OrderedPlace {
    descend(to: position) { $0.index(endingAtOrBehind: $1) }
  }

  /// Returns the place of a position, in the children that a closure selects in each branch.
  @inlinable
  @inline(__always)
  func descend(
    to position: Int, _ select: (_ branch: NodeRef<OrderedBranch>, _ position: Int) -> Int
  ) -> OrderedPlace {
    var branch = root
    var rest = position
    while true {
      let index = select(branch, rest)
      rest &-= branch.start(of: index)
      let child = branch.child(index)
      if branch.level == 0 { return OrderedPlace(leaf: child, offset: rest) }
      branch = Arena.node(child, below: nodes, height: height)
    }
  }
}
