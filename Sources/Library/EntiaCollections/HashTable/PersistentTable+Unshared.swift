extension PersistentTable {
  /// Calls the closure with the elements of this version in the pages that another version does not
  /// have in the same place. They may be equal to those of the other version.
  /// - Complexity: O(changes · log *n*) between versions of one history.
  package func visitUnshared(with other: Self, _ body: (Element) -> Void) {
    guard let top else { return }
    Self.visitUnshared(top, height, other.top, other.height, body)
    withExtendedLifetime((self, other)) {}
  }

  /// Visits a node, unless the corresponding node of another tree is the same. A lower tree
  /// corresponds to the first branch of a higher one.
  private static func visitUnshared(
    _ node: TreeNode, _ height: Int, _ other: TreeNode?, _ otherHeight: Int,
    _ body: (Element) -> Void
  ) {
    guard let other else {
      for index in 0..<TreeNode.fanOut {
        visitUnshared(node.elements[index], height, nil, body)
      }
      return
    }
    if otherHeight > height {
      return visitUnshared(node, height, other.elements[0]?.cast(), otherHeight - 1, body)
    }
    if height > otherHeight {
      if let first = node.elements[0] {
        visitUnshared(first.cast(), height - 1, other, otherHeight, body)
      }
      for index in 1..<TreeNode.fanOut {
        visitUnshared(node.elements[index], height, nil, body)
      }
      return
    }
    if node == other { return }
    for index in 0..<TreeNode.fanOut {
      visitUnshared(node.elements[index], height, other.elements[index], body)
    }
  }

  /// Visits a child of a node of a height, unless it is the child of the other tree in that place.
  private static func visitUnshared(
    _ child: AnyNode?, _ height: Int, _ other: AnyNode?, _ body: (Element) -> Void
  ) {
    guard let child, child != other else { return }
    if height > 0 {
      return visitUnshared(child.cast(), height - 1, other?.cast(), height - 1, body)
    }
    let page: Page = child.cast()
    var live = page.live
    while live != 0 {
      body(page.elements[live.trailingZeroBitCount])
      live &= live &- 1
    }
  }
}
