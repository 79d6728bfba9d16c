extension SortedTree {
  /// Removes the element that the order considers the same as `element`.
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
    checkInvariants()
    return removed
  }

  /// Removes every element.
  /// - Complexity: O(1), plus O(*n*) to release the nodes that no other version shares.
  @inlinable
  public mutating func removeAll() { self = Self() }

  /// Removes roots that have a single branch or no elements.
  @inlinable
  mutating func shrink() {
    if elementCount == 0 {
      self = Self()
      return
    }
    while height > 0, rootNode.inner.count == 1 {
      let child = rootNode.inner.elements.pointee.child
      child.retain()
      self = Self(root: child, height: height &- 1, count: elementCount)
    }
  }

  /// Removes and returns the element that follows `place` in the subtree of `node`, a unique node.
  @inlinable
  static func remove(
    from node: Node, level: Int, at place: SortedPlace, isLast: Bool
  ) -> Element {
    if level == 0 {
      let count = node.leaf.count
      node.leaf.setCount(count &- 1)
      return SortedRun.remove(node.leaf.mutableElements, count, at: place.slot)
    }
    let index = place.branch(at: level, shift: Inner.shift)
    let branch = node.inner.mutableElements + index
    let child = uniqueChild(branch, level: level &- 1)
    let isLastChild = isLast && index &+ 1 == node.inner.count
    let removed = remove(from: child, level: level &- 1, at: place, isLast: isLastChild)
    branch.pointee.count &-= 1
    if branch.pointee.count == 0 {
      removeBranch(from: node.inner, at: index)
      return removed
    }
    if place.isAtStart(ofLevel: level &- 1, shift: Inner.shift) {
      branch.pointee.first = first(of: child, level: level &- 1)
    }
    // The last node of each level may be small, so that insertions and removals at the end move
    // nothing.
    if !isLastChild {
      let isSmall =
        level == 1
        ? child.leaf.count < Leaf.minimum : child.inner.count < Inner.minimum
      if isSmall { fill(node.inner, at: index, level: level) }
    }
    return removed
  }

  @inlinable
  static func removeBranch(from node: Inner, at index: Int) {
    let count = node.count
    let branch = SortedRun.remove(node.mutableElements, count, at: index)
    node.mutableHeader.pointee = count &- 1
    branch.child.release()
  }

  /// Balances a small child with a neighbor, or merges both.
  @inlinable
  @inline(never)
  static func fill(_ node: Inner, at index: Int, level: Int) {
    let left = node.mutableElements + (index == 0 ? 0 : index &- 1)
    let right = left + 1
    let a = uniqueChild(left, level: level &- 1)
    let b = uniqueChild(right, level: level &- 1)
    let total = left.pointee.count &+ right.pointee.count
    if level == 1 {
      let all = a.leaf.count &+ b.leaf.count
      let share = SortedRun.balance(
        a.leaf.mutableElements, a.leaf.count, b.leaf.mutableElements, b.leaf.count,
        capacity: Leaf.capacity)
      a.leaf.setCount(share)
      b.leaf.setCount(all &- share)
      left.pointee.count = share
    } else {
      let all = a.inner.count &+ b.inner.count
      let share = SortedRun.balance(
        a.inner.mutableElements, a.inner.count, b.inner.mutableElements, b.inner.count,
        capacity: Inner.fanOut)
      a.inner.mutableHeader.pointee = share
      b.inner.mutableHeader.pointee = all &- share
      left.pointee.count = a.inner.elementCount
    }
    if left.pointee.count == total {
      removeBranch(from: node, at: left - node.mutableElements + 1)
    } else {
      right.pointee.count = total &- left.pointee.count
      right.pointee.first = first(of: b, level: level &- 1)
    }
  }
}

/// A place between elements: a leaf, the number of its elements before the place, and the path to
/// the leaf.
@frozen
@usableFromInline
struct SortedPlace {
  @usableFromInline var leaf: AnyNode
  @usableFromInline var slot: Int
  /// The branch index at each level, the lowest level in the lowest bits. The bits suffice for
  /// every possible height.
  @usableFromInline var path: UInt64
  /// The number of elements of the tree before the leaf.
  @usableFromInline var before: Int

  @inlinable
  @inline(__always)
  init(leaf: AnyNode, slot: Int, path: UInt64, before: Int) {
    self.leaf = leaf
    self.slot = slot
    self.path = path
    self.before = before
  }

  /// The number of elements of the tree before the place.
  @inlinable
  @inline(__always)
  var rank: Int { before &+ slot }

  /// Returns the index of the branch at `level`, which must be at least 1. Nodes have at most
  /// `1 << shift` branches.
  @inlinable
  @inline(__always)
  func branch(at level: Int, shift: Int) -> Int {
    Int(truncatingIfNeeded: path &>> UInt64(truncatingIfNeeded: (level &- 1) &* shift))
      & ((1 &<< shift) &- 1)
  }

  /// Whether the place is before the first element of its node at a level.
  @inlinable
  @inline(__always)
  func isAtStart(ofLevel level: Int, shift: Int) -> Bool {
    slot == 0 && path & ((1 &<< UInt64(truncatingIfNeeded: level &* shift)) &- 1) == 0
  }
}
