extension SortedTree {
  /// Inserts an element, unless the tree has one that the order considers the same. That one is
  /// kept.
  /// - Returns: Whether the element was inserted.
  /// - Complexity: O(log *n*). Nothing is copied if the tree is uniquely referenced.
  @inlinable
  @discardableResult
  public mutating func insert(_ element: Element) -> Bool {
    guard var place = place(behind: element) else {
      let leaf = Leaves.make(capacity: Swift.min(4, Leaves.capacity))
      Leaves.elements(leaf).initialize(to: element)
      Leaves.setCount(leaf, 1)
      self = Self(root: leaf, height: 0, count: 1)
      return true
    }
    if holds(element, before: place) { return false }
    let node = uniqueRoot(hasRoom: true)
    place.leaf = node
    let sibling = Self.insert(element, into: node, level: height, at: place, isLast: true)
    elementCount &+= 1
    if let sibling { grow(sibling) }
    return true
  }

  /// Adds a new root above the root and the sibling that was split off it.
  @inlinable
  @inline(never)
  mutating func grow(_ sibling: Branch) {
    guard let root else { return }
    let left = owned(root)
    let node = Nodes.make()
    Nodes.branches(node).initialize(
      to: Branch(
        child: left, count: elementCount &- sibling.count,
        first: Self.first(of: left, level: height)))
    (Nodes.branches(node) + 1).initialize(to: sibling)
    Nodes.header(node).pointee = 2
    self = Self(root: node, height: height &+ 1, count: elementCount)
  }

  /// Returns the root after making it unique. If `hasRoom`, a small single leaf is grown when it is
  /// full.
  @inlinable
  @inline(__always)
  mutating func uniqueRoot(hasRoom: Bool) -> NodePointer {
    if !isKnownUniquelyReferenced(&root) {
      let shared = borrowed(root.unsafelyUnwrapped)
      let copy = height == 0 ? Leaves.copy(shared) : Nodes.copy(shared)
      root = Unmanaged<AnyObject>.fromOpaque(copy).takeRetainedValue()
    }
    if hasRoom, height == 0 { makeRoomInLoneLeaf() }
    return borrowed(root.unsafelyUnwrapped)
  }

  @inlinable
  @inline(never)
  mutating func makeRoomInLoneLeaf() {
    let leaf = borrowed(root.unsafelyUnwrapped)
    let header = Leaves.header(leaf).pointee
    guard header.count == header.capacity, header.capacity < Leaves.capacity else { return }
    let capacity = Swift.min(Leaves.capacity, Int(header.capacity) * 2)
    retainNode(leaf)
    root = nil
    root = Unmanaged<AnyObject>.fromOpaque(Leaves.resize(leaf, capacity: capacity))
      .takeRetainedValue()
  }

  /// Returns a branch's child after making it unique. The node that holds the branch must be unique.
  @inlinable
  @inline(__always)
  static func uniqueChild(_ branch: UnsafeMutablePointer<Branch>, level: Int) -> NodePointer {
    let child = branch.pointee.child
    if isUniqueNode(child) { return child }
    let copy = level == 0 ? Leaves.copy(child) : Nodes.copy(child)
    branch.pointee.child = copy
    releaseNode(child)
    return copy
  }

  /// Returns the first element below a node.
  @inlinable
  @inline(__always)
  static func first(of node: NodePointer, level: Int) -> Element {
    level == 0 ? Leaves.elements(node).pointee : Nodes.branches(node).pointee.first
  }

  /// Inserts into a unique node, and returns the sibling that was split off on its right, if any.
  @inlinable
  static func insert(
    _ element: Element, into node: NodePointer, level: Int, at place: SortedPlace, isLast: Bool
  ) -> Branch? {
    if level == 0 { return insert(element, intoLeaf: node, at: place.slot, isLast: isLast) }
    let index = place.branch(at: level, shift: Nodes.shift)
    let branch = Nodes.branches(node) + index
    let child = uniqueChild(branch, level: level &- 1)
    branch.pointee.count &+= 1
    // Before the first element of its leaf, it is the first element below the branch.
    if place.slot == 0 { branch.pointee.first = element }
    guard
      let sibling = insert(
        element, into: child, level: level &- 1, at: place,
        isLast: isLast && index &+ 1 == Nodes.count(node))
    else { return nil }
    branch.pointee.count &-= sibling.count
    return insert(sibling, intoNode: node, at: index &+ 1, isLast: isLast)
  }

  @inlinable
  static func insert(
    _ element: Element, intoLeaf leaf: NodePointer, at slot: Int, isLast: Bool
  ) -> Branch? {
    let elements = Leaves.elements(leaf)
    let count = Leaves.count(leaf)
    if count < Leaves.capacity {
      SortedRun.insert(element, elements, count, at: slot)
      Leaves.setCount(leaf, count &+ 1)
      return nil
    }
    let left = SortedRun<Element>.leftShare(
      count: count, newAt: slot, minimum: Leaves.minimum, isLast: isLast)
    let staying = slot < left ? left &- 1 : left
    let sibling = Leaves.make()
    let others = Leaves.elements(sibling)
    others.moveInitialize(from: elements + staying, count: count &- staying)
    if slot < left {
      SortedRun.insert(element, elements, staying, at: slot)
    } else {
      SortedRun.insert(element, others, count &- staying, at: slot &- staying)
    }
    Leaves.setCount(leaf, left)
    Leaves.setCount(sibling, count &+ 1 &- left)
    return Branch(child: sibling, count: count &+ 1 &- left, first: others.pointee)
  }

  @inlinable
  static func insert(
    _ branch: Branch, intoNode node: NodePointer, at index: Int, isLast: Bool
  ) -> Branch? {
    let branches = Nodes.branches(node)
    let count = Nodes.count(node)
    if count < Nodes.fanOut {
      SortedRun.insert(branch, branches, count, at: index)
      Nodes.header(node).pointee = count &+ 1
      return nil
    }
    let left = SortedRun<Branch>.leftShare(
      count: count, newAt: index, minimum: Nodes.minimum, isLast: isLast)
    let staying = index < left ? left &- 1 : left
    let sibling = Nodes.make()
    let others = Nodes.branches(sibling)
    others.moveInitialize(from: branches + staying, count: count &- staying)
    if index < left {
      SortedRun.insert(branch, branches, staying, at: index)
    } else {
      SortedRun.insert(branch, others, count &- staying, at: index &- staying)
    }
    Nodes.header(node).pointee = left
    Nodes.header(sibling).pointee = count &+ 1 &- left
    return Branch(
      child: sibling, count: Nodes.elementCount(sibling), first: others.pointee.first)
  }
}
