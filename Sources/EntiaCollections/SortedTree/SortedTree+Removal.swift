extension SortedTree {
  /// Removes the element that the order considers the same as this one.
  /// - Returns: The removed element, or `nil` if there is none.
  /// - Complexity: O(log *n*). Nothing is copied if the tree is uniquely referenced.
  @inlinable
  @discardableResult
  public mutating func remove(_ element: Element) -> Element? {
    guard var place = place(behind: element), holds(element, before: place) else { return nil }
    place.slot &-= 1
    let removed = Self.remove(
      from: uniqueRoot(hasRoom: false), level: height, at: place, isLast: true)
    elementCount &-= 1
    if height > 0 || elementCount == 0 { shrink() }
    return removed
  }

  /// Removes every element.
  /// - Complexity: O(1), and O(*n*) for releasing what no other version shares.
  @inlinable
  public mutating func removeAll() { self = Self() }

  /// Removes roots that have a single branch or no elements.
  @inlinable
  mutating func shrink() {
    if elementCount == 0 {
      self = Self()
      return
    }
    while height > 0, let node = root.map(borrowed), Nodes.count(node) == 1 {
      let child = Nodes.branches(node).pointee.child
      retainNode(child)
      self = Self(root: child, height: height &- 1, count: elementCount)
    }
  }

  /// Removes the element after a place from a unique node.
  @inlinable
  static func remove(
    from node: NodePointer, level: Int, at place: SortedPlace, isLast: Bool
  ) -> Element {
    if level == 0 {
      let count = Leaves.count(node)
      Leaves.setCount(node, count &- 1)
      return SortedRun.remove(Leaves.elements(node), count, at: place.slot)
    }
    let index = place.branch(at: level, shift: Nodes.shift)
    let branch = Nodes.branches(node) + index
    let child = uniqueChild(branch, level: level &- 1)
    let isLastChild = isLast && index &+ 1 == Nodes.count(node)
    let removed = remove(from: child, level: level &- 1, at: place, isLast: isLastChild)
    branch.pointee.count &-= 1
    if branch.pointee.count == 0 {
      removeBranch(from: node, at: index)
      return removed
    }
    if place.isAtStart(ofLevel: level &- 1, shift: Nodes.shift) {
      branch.pointee.first = first(of: child, level: level &- 1)
    }
    // The last node of each level may be small, so that insertions and removals at the end move
    // nothing.
    if !isLastChild {
      let isSmall =
        level == 1
        ? Leaves.count(child) < Leaves.minimum : Nodes.count(child) < Nodes.minimum
      if isSmall { fill(node, at: index, level: level) }
    }
    return removed
  }

  @inlinable
  static func removeBranch(from node: NodePointer, at index: Int) {
    let count = Nodes.count(node)
    let branch = SortedRun.remove(Nodes.branches(node), count, at: index)
    Nodes.header(node).pointee = count &- 1
    releaseNode(branch.child)
  }

  /// Balances a small child with a neighbor, or merges both.
  @inlinable
  @inline(never)
  static func fill(_ node: NodePointer, at index: Int, level: Int) {
    let left = Nodes.branches(node) + (index == 0 ? 0 : index &- 1)
    let right = left + 1
    let a = uniqueChild(left, level: level &- 1)
    let b = uniqueChild(right, level: level &- 1)
    let total = left.pointee.count &+ right.pointee.count
    let isMerged: Bool
    if level == 1 {
      let all = Leaves.count(a) &+ Leaves.count(b)
      isMerged = all <= Leaves.capacity &* 3 / 4
      let share = isMerged ? all : all &>> 1
      SortedRun.balance(
        Leaves.elements(a), Leaves.count(a), Leaves.elements(b), Leaves.count(b),
        leftWanted: share)
      Leaves.setCount(a, share)
      Leaves.setCount(b, all &- share)
      left.pointee.count = share
    } else {
      let all = Nodes.count(a) &+ Nodes.count(b)
      isMerged = all <= Nodes.fanOut &* 3 / 4
      let share = isMerged ? all : all &>> 1
      SortedRun.balance(
        Nodes.branches(a), Nodes.count(a), Nodes.branches(b), Nodes.count(b),
        leftWanted: share)
      Nodes.header(a).pointee = share
      Nodes.header(b).pointee = all &- share
      left.pointee.count = Nodes.elementCount(a)
    }
    if isMerged {
      removeBranch(from: node, at: left - Nodes.branches(node) + 1)
    } else {
      right.pointee.count = total &- left.pointee.count
      right.pointee.first = first(of: b, level: level &- 1)
    }
  }
}
