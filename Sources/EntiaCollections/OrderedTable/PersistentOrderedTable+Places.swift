/// The place of an element: the number of its leaf, and its offset in the leaf.
@frozen
@usableFromInline
struct OrderedPlace {
  @usableFromInline var leaf: Int
  @usableFromInline var offset: Int

  @inlinable
  init(leaf: Int, offset: Int) {
    self.leaf = leaf
    self.offset = offset
  }
}

extension PersistentOrderedTable {
  /// Returns the part of a key's hash that leaves and index store.
  @inlinable
  @inline(__always)
  func tag(of key: Key) -> UInt32 {
    let half = UInt64(halfSeed)
    return SlotIndex.tag(key.tableHash(seed: half &<< 32 | half))
  }

  /// Returns the place of the element with a key, or `nil`.
  @inlinable
  @inline(__always)
  func place(of key: Key, tag: UInt32) -> OrderedPlace? {
    if !isTree {
      guard let root = leaves.root else { return nil }
      let offset = Leaves.offset(of: key, tag: tag, in: borrowed(root), Layout.self)
      return offset < 0 ? nil : OrderedPlace(leaf: 0, offset: offset)
    }
    var offset = -1
    var seen = -1
    let leaf = index.find(tag) { number in
      // Several elements of one leaf may have the same tag.
      if number == seen { return false }
      seen = number
      offset = Leaves.offset(of: key, tag: tag, in: leaves[number], Layout.self)
      return offset >= 0
    }
    return leaf < 0 ? nil : OrderedPlace(leaf: leaf, offset: offset)
  }

  /// Returns the address of the element with a key, valid while the table is neither changed nor
  /// released.
  @inlinable
  @inline(__always)
  func pointer(to key: Key) -> UnsafeMutablePointer<Element>? {
    let tag = self.tag(of: key)
    if !isTree {
      guard let root = leaves.root else { return nil }
      let leaf = borrowed(root)
      let offset = Leaves.offset(of: key, tag: tag, in: leaf, Layout.self)
      return offset < 0 ? nil : Leaves.elements(leaf) + offset
    }
    var result: UnsafeMutablePointer<Element>?
    var seen = -1
    _ = index.find(tag) { number in
      if number == seen { return false }
      seen = number
      let leaf = leaves[number]
      let offset = Leaves.offset(of: key, tag: tag, in: leaf, Layout.self)
      if offset < 0 { return false }
      result = Leaves.elements(leaf) + offset
      return true
    }
    return result
  }

  /// Returns the place of the element at a position.
  @inlinable
  @inline(__always)
  func place(at position: Int) -> OrderedPlace {
    if !isTree { return OrderedPlace(leaf: 0, offset: position) }
    var branch = branches[0]
    var rest = position
    while true {
      let index = OrderedBranches.index(containing: rest, in: branch)
      rest &-= OrderedBranches.start(of: index, in: branch)
      let child = Int(truncatingIfNeeded: OrderedBranches.children(branch)[index])
      if OrderedBranches.header(branch).pointee.level == 0 {
        return OrderedPlace(leaf: child, offset: rest)
      }
      branch = branches[child]
    }
  }

  /// Returns the place for a new element at a position: after the element before it.
  @inlinable
  @inline(__always)
  func insertionPlace(at position: Int) -> OrderedPlace {
    if !isTree { return OrderedPlace(leaf: 0, offset: position) }
    var branch = branches[0]
    var rest = position
    while true {
      let index = OrderedBranches.index(endingAtOrBehind: rest, in: branch)
      rest &-= OrderedBranches.start(of: index, in: branch)
      let child = Int(truncatingIfNeeded: OrderedBranches.children(branch)[index])
      if OrderedBranches.header(branch).pointee.level == 0 {
        return OrderedPlace(leaf: child, offset: rest)
      }
      branch = branches[child]
    }
  }

  /// Returns the position of a leaf's first element.
  @inlinable
  @inline(__always)
  func start(ofLeaf leaf: Int) -> Int {
    if !isTree { return 0 }
    var child = leaf
    var parent = Int(truncatingIfNeeded: Leaves.header(leaves[leaf]).pointee.parent)
    var start = 0
    while true {
      let branch = branches[parent]
      let index = OrderedBranches.index(of: child, in: branch)
      start &+= OrderedBranches.start(of: index, in: branch)
      if parent == 0 { return start }
      child = parent
      parent = Int(truncatingIfNeeded: OrderedBranches.header(branch).pointee.parent)
    }
  }

  /// Adds to the number of elements of a leaf that only this table owns: in the table and in the
  /// branches above the leaf.
  @inlinable
  @inline(__always)
  mutating func add(_ difference: Int, toLeaf leaf: Int, _ node: NodePointer) {
    liveCount &+= Int32(truncatingIfNeeded: difference)
    if !isTree { return }
    var child = leaf
    var parent = Int(truncatingIfNeeded: Leaves.header(node).pointee.parent)
    while true {
      let branch = branches.unique(parent)
      let index = OrderedBranches.index(of: child, in: branch)
      OrderedBranches.add(difference, to: index, in: branch)
      if parent == 0 { return }
      child = parent
      parent = Int(truncatingIfNeeded: OrderedBranches.header(branch).pointee.parent)
    }
  }
}
