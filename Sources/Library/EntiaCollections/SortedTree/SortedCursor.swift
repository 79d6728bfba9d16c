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

  /// Enters the current inner node: moves to its first child.
  @inlinable
  mutating func descend() {
    guard let node = unit else { return }
    TableWork.note(.nodeVisited)
    steps.append(Step(node: node, index: 0))
    unit = node.inner.elements.pointee.child
    level &-= 1
  }

  /// Moves to the successor of the current node: its neighbor, or that of a node above it.
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
