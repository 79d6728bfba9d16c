extension SortedTree {
  /// Inserts an element, unless the tree has one that the order considers the same.
  /// - Returns: Whether the element was inserted.
  /// - Complexity: O(log *n*). Nothing is copied if the tree is uniquely referenced.
  @inlinable
  @discardableResult
  public mutating func insert(_ element: Element) -> Bool {
    guard var place = place(behind: element) else {
      let leaf = Leaf.make(capacity: Swift.min(4, Leaf.capacity))
      leaf.mutableElements.initialize(to: element)
      leaf.setCount(1)
      self = Self(root: leaf.cast(), height: 0, count: 1)
      return true
    }
    if holds(element, before: place) { return false }
    let node = uniqueRoot(hasRoom: true)
    place.leaf = node.cast()
    let sibling = Self.insert(element, into: node, level: height, at: place, isLast: true)
    elementCount &+= 1
    if let sibling { grow(sibling) }
    checkInvariants()
    return true
  }

  /// Changes the last element that satisfies a predicate, in place. The change must not affect the
  /// order of the element among the others.
  /// - Parameters:
  ///   - belongsBefore: Returns `true` up to some element and `false` from there on.
  ///   - body: The change.
  /// - Returns: The result of the change, or `nil` if no element satisfies the predicate.
  /// - Complexity: O(log *n*). Nothing is copied if the tree is uniquely referenced.
  @inlinable
  package mutating func updateLast<Result>(
    where belongsBefore: (Element) -> Bool, _ body: (inout Element) -> Result
  ) -> Result? {
    guard var place = place(where: belongsBefore), place.slot > 0 else { return nil }
    place.slot &-= 1
    return Self.update(uniqueRoot(hasRoom: false), level: height, at: place, body)
  }

  /// Changes the element after a place in a unique node.
  @inlinable
  static func update<Result>(
    _ node: Node, level: Int, at place: SortedPlace, _ body: (inout Element) -> Result
  ) -> Result {
    if level == 0 { return body(&node.leaf.mutableElements[place.slot]) }
    let branch = node.inner.mutableElements + place.branch(at: level, shift: Inner.shift)
    let child = uniqueChild(branch, level: level &- 1)
    let result = update(child, level: level &- 1, at: place, body)
    if place.isAtStart(ofLevel: level &- 1, shift: Inner.shift) {
      branch.pointee.first = first(of: child, level: level &- 1)
    }
    return result
  }

  /// Adds a new root above the root and the sibling that was split off it.
  @inlinable
  @inline(never)
  mutating func grow(_ sibling: Branch) {
    guard let root else { return }
    let left = AnyNode(owning: root).cast(to: Node.self)
    let node = Inner.make()
    node.mutableElements.initialize(
      to: Branch(
        child: left, count: elementCount &- sibling.count,
        first: Self.first(of: left, level: height)))
    (node.mutableElements + 1).initialize(to: sibling)
    node.mutableHeader.pointee = 2
    self = Self(root: node.cast(), height: height &+ 1, count: elementCount)
  }

  /// Returns the root after making it unique. If `hasRoom` is `true` and the root is a full leaf
  /// whose capacity is less than the maximum, the leaf is replaced by a larger one.
  @inlinable
  @inline(__always)
  mutating func uniqueRoot(hasRoom: Bool) -> Node {
    if !isKnownUniquelyReferenced(&root) {
      root = Self.copy(rootNode, level: height).cast(to: AnyNode.self).takeObject()
    }
    if hasRoom, height == 0 { makeRoomInLoneLeaf() }
    return rootNode
  }

  @inlinable
  @inline(never)
  mutating func makeRoomInLoneLeaf() {
    let leaf = rootNode.leaf
    let header = leaf.header.pointee
    guard header.count == header.capacity, header.capacity < Leaf.capacity else { return }
    let capacity = Swift.min(Leaf.capacity, Int(header.capacity) * 2)
    leaf.retain()
    root = nil
    root = leaf.resized(to: capacity).takeObject()
  }

  /// Returns a branch's child after making it unique. The node that holds the branch must be
  /// unique.
  @inlinable
  @inline(__always)
  static func uniqueChild(_ branch: UnsafeMutablePointer<Branch>, level: Int) -> Node {
    let child = branch.pointee.child
    if child.isUnique { return child }
    let copy = copy(child, level: level)
    branch.pointee.child = copy
    child.release()
    return copy
  }

  @inlinable
  @inline(__always)
  static func copy(_ node: Node, level: Int) -> Node {
    level == 0 ? node.leaf.copy().cast() : node.inner.copy().cast()
  }

  /// Returns the first element below a node.
  @inlinable
  @inline(__always)
  static func first(of node: Node, level: Int) -> Element {
    level == 0 ? node.leaf.elements.pointee : node.inner.elements.pointee.first
  }

  /// Inserts into a unique node, and returns the sibling that was split off on its right, if any.
  @inlinable
  static func insert(
    _ element: Element, into node: Node, level: Int, at place: SortedPlace, isLast: Bool
  ) -> Branch? {
    if level == 0 { return insert(element, intoLeaf: node.leaf, at: place.slot, isLast: isLast) }
    let index = place.branch(at: level, shift: Inner.shift)
    let branch = node.inner.mutableElements + index
    let child = uniqueChild(branch, level: level &- 1)
    branch.pointee.count &+= 1
    // The search chooses a branch other than the first only if the first element of that branch
    // precedes `element`. Therefore `element` is inserted at the start of a leaf only if it
    // precedes all elements of the tree. It then becomes the first element below every branch on
    // the path.
    if place.slot == 0 { branch.pointee.first = element }
    guard
      let sibling = insert(
        element, into: child, level: level &- 1, at: place,
        isLast: isLast && index &+ 1 == node.inner.count)
    else { return nil }
    branch.pointee.count &-= sibling.count
    return insert(sibling, intoNode: node.inner, at: index &+ 1, isLast: isLast)
  }

  @inlinable
  static func insert(
    _ element: Element, intoLeaf leaf: Leaf, at slot: Int, isLast: Bool
  ) -> Branch? {
    let elements = leaf.mutableElements
    let count = leaf.count
    if count < Leaf.capacity {
      SortedRun.insert(element, elements, count, at: slot)
      leaf.setCount(count &+ 1)
      return nil
    }
    let sibling = Leaf.make()
    let others = sibling.mutableElements
    let left = SortedRun.split(
      elements, count, inserting: element, at: slot, into: others, minimum: Leaf.minimum,
      isLast: isLast)
    leaf.setCount(left)
    sibling.setCount(count &+ 1 &- left)
    return Branch(child: sibling.cast(), count: count &+ 1 &- left, first: others.pointee)
  }

  @inlinable
  static func insert(
    _ branch: Branch, intoNode node: Inner, at index: Int, isLast: Bool
  ) -> Branch? {
    let branches = node.mutableElements
    let count = node.count
    if count < Inner.fanOut {
      SortedRun.insert(branch, branches, count, at: index)
      node.mutableHeader.pointee = count &+ 1
      return nil
    }
    let sibling = Inner.make()
    let others = sibling.mutableElements
    let left = SortedRun.split(
      branches, count, inserting: branch, at: index, into: others, minimum: Inner.minimum,
      isLast: isLast)
    node.mutableHeader.pointee = left
    sibling.mutableHeader.pointee = count &+ 1 &- left
    return Branch(
      child: sibling.cast(), count: sibling.elementCount, first: others.pointee.first)
  }
}
