/// The place of an element: the number of its leaf, and its offset in the leaf. By contrast, a
/// position counts all elements of the table that precede the element.
@frozen
@usableFromInline
struct OrderedPlace: Equatable {
  @usableFromInline var leaf: Int
  @usableFromInline var offset: Int

  @inlinable
  init(leaf: Int, offset: Int) {
    self.leaf = leaf
    self.offset = offset
  }
}

extension PersistentOrderedTable {
  /// Returns the tag of a key: the part of its hash that the leaves and the index store.
  @inlinable
  @inline(__always)
  func tag(of key: Key) -> UInt32 {
    let half = UInt64(halfSeedAndFlag | 1)
    return SlotIndex.tag(key.tableHash(seed: half &<< 32 | half))
  }

  /// Returns the place of the element with a key, or `nil`.
  @inlinable
  @inline(__always)
  func place(of key: Key, tag: UInt32) -> OrderedPlace? {
    if !isTree {
      if leaves.root == nil { return nil }
      let offset = leaves.rootNode.cast(to: Leaf.self).offset(of: key, tag: tag, Layout.self)
      return offset < 0 ? nil : OrderedPlace(leaf: 0, offset: offset)
    }
    var offset = -1
    var seen = -1
    let entry = index.find(tag) { entry in
      // If several elements of a leaf have the tag, the leaf is searched only once.
      let number = Self.leaf(ofEntry: entry)
      if number == seen { return false }
      seen = number
      offset = Self.offset(of: key, tag: tag, in: leaves[number], entry: entry)
      return offset >= 0
    }
    return entry < 0 ? nil : OrderedPlace(leaf: seen, offset: offset)
  }

  /// Returns the address of the element with a key, valid while the table is neither changed nor
  /// released.
  @inlinable
  @inline(__always)
  func pointer(to key: Key) -> UnsafePointer<Element>? {
    let tag = self.tag(of: key)
    if !isTree {
      if leaves.root == nil { return nil }
      let leaf = leaves.rootNode.cast(to: Leaf.self)
      let offset = leaf.offset(of: key, tag: tag, Layout.self)
      return offset < 0 ? nil : leaf.elements + offset
    }
    var result: UnsafePointer<Element>?
    var seen = -1
    _ = index.find(tag) { entry in
      let number = Self.leaf(ofEntry: entry)
      if number == seen { return false }
      seen = number
      let leaf = leaves[number]
      let offset = Self.offset(of: key, tag: tag, in: leaf, entry: entry)
      if offset < 0 { return false }
      result = leaf.elements + offset
      return true
    }
    return result
  }

  /// Returns the leaf and the offset at which the element at a position is stored.
  @inlinable
  @inline(__always)
  func place(at position: Int) -> OrderedPlace {
    if !isTree { return OrderedPlace(leaf: 0, offset: position) }
    let root = branches[0]
    return root.regularPlace(of: position) ?? path(from: root).place(at: position)
  }

  /// Returns the place for a new element at a position: directly after the preceding element.
  @inlinable
  @inline(__always)
  func insertionPlace(at position: Int) -> OrderedPlace {
    if !isTree { return OrderedPlace(leaf: 0, offset: position) }
    let root = branches[0]
    if position > 0, let place = root.regularPlace(of: position &- 1) {
      return OrderedPlace(leaf: place.leaf, offset: place.offset &+ 1)
    }
    return path(from: root).insertionPlace(at: position)
  }

  /// Returns a value with which a caller descends through the order tree, from its root.
  @inlinable
  @inline(__always)
  func path(from root: Branch) -> OrderPath {
    OrderPath(root: root, nodes: branches.rootNode, height: branches.height)
  }

  /// Returns the position of a leaf's first element.
  @inlinable
  @inline(__always)
  func start(ofLeaf leaf: Int) -> Int {
    if !isTree { return 0 }
    return branches[0].regularStart(ofLeaf: leaf) ?? countedStart(ofLeaf: leaf)
  }

  /// Returns the position of a leaf's first element, computed by adding counts of the order tree.
  @inlinable
  @inline(__always)
  func countedStart(ofLeaf leaf: Int) -> Int {
    var child = leaf
    var parent = leaves[leaf].parent
    var start = 0
    while true {
      let branch = branches[parent]
      let index = branch.index(of: child)
      start &+= branch.start(of: index)
      if parent == 0 { return start }
      child = parent
      parent = branch.parent
    }
  }

  /// Adds the change of a leaf's number of elements to the counts of the table and of the branches
  /// above the leaf. Only this table may own the leaf.
  @inlinable
  @inline(__always)
  mutating func add(_ difference: Int, toLeaf leaf: Int, _ node: Leaf) {
    liveCount &+= Int32(truncatingIfNeeded: difference)
    if !isTree { return }
    var child = leaf
    var parent = node.parent
    while true {
      let branch = branches.unique(parent)
      let index = branch.index(of: child)
      branch.add(difference, to: index)
      if parent == 0 { return }
      child = parent
      parent = branch.parent
    }
  }
}

/// Descends through the order tree of a table. The caller must keep the table alive.
///
/// The value consists of plain words, so that passing it to a function retains nothing.
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

  /// Returns the leaf and the offset at which the element at a position is stored.
  @inlinable
  @inline(__always)
  func place(at position: Int) -> OrderedPlace {
    descend(to: position) { $0.index(containing: $1) }
  }

  /// Returns the place for a new element at a position: directly after the preceding element.
  @inlinable
  @inline(__always)
  func insertionPlace(at position: Int) -> OrderedPlace {
    descend(to: position) { $0.index(endingAtOrBehind: $1) }
  }

  /// Descends through the children that a closure selects, and returns the place of a position in
  /// the reached leaf.
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

// The regular prefix of a table is a range of positions that begins at 0. Its leaves have the
// numbers 0, 1, 2 and so on, in this order, and each leaf but the last has `regularLength`
// elements. The place of a position in the prefix is therefore computed without a descent through
// the order tree. In a table that was built, or that grew only at its end, the prefix contains all
// positions. A change in the middle ends the prefix at the changed position. The part before that
// position stays regular, because the change moves no element before that position.

extension NodeRef where Kind == OrderedBranch {
  /// Returns the place of a position, or `nil` if the position is not in the regular prefix of the
  /// table. This branch must be the root.
  @inlinable
  @inline(__always)
  func regularPlace(of position: Int) -> OrderedPlace? {
    let header = header.pointee
    let position = Int32(truncatingIfNeeded: position)
    if position >= header.regularEnd { return nil }
    let (leaf, offset) = UInt32(bitPattern: position).quotientAndRemainder(
      dividingBy: header.regularLength)
    return OrderedPlace(
      leaf: Int(truncatingIfNeeded: leaf), offset: Int(truncatingIfNeeded: offset))
  }

  /// Returns the position of a leaf's first element, or `nil` if that position is not in the
  /// regular prefix of the table. This branch must be the root.
  @inlinable
  @inline(__always)
  func regularStart(ofLeaf leaf: Int) -> Int? {
    let header = header.pointee
    let start = leaf &* Int(truncatingIfNeeded: header.regularLength)
    return start < Int(truncatingIfNeeded: header.regularEnd) ? start : nil
  }
}

extension PersistentOrderedTable {
  /// Extends the regular prefix to all positions. The leaves must have the numbers 0, 1, 2 and
  /// so on, in this order.
  /// - Parameter length: The number of elements in each leaf but the last.
  @inlinable
  mutating func beginRegularPrefix(ofLength length: Int) {
    let header = branches.unique(0).mutableHeader
    header.pointee.regularLength = UInt32(truncatingIfNeeded: length)
    header.pointee.regularEnd = .max
  }

  /// Ends the regular prefix at a position, unless the prefix already ends before that position.
  @inlinable
  @inline(__always)
  mutating func endRegularPrefix(at position: Int) {
    if position >= Int(truncatingIfNeeded: branches[0].header.pointee.regularEnd) { return }
    let header = branches.unique(0).mutableHeader
    header.pointee.regularEnd = Int32(truncatingIfNeeded: position)
  }

  /// Ends the regular prefix at a new element. The prefix does not change if the element is the
  /// last of the table and its place equals the result of `regularPlace(of:)`.
  @inlinable
  @inline(__always)
  mutating func updateRegularPrefix(insertedAt position: Int, _ place: OrderedPlace) {
    guard let regular = branches[0].regularPlace(of: position) else { return }
    if position &+ 1 == count, regular == place { return }
    endRegularPrefix(at: position)
  }

  /// Ends the regular prefix at the place of a removed element. The prefix does not change if the
  /// element was the last of the table.
  @inlinable
  @inline(__always)
  mutating func updateRegularPrefix(removedAt place: OrderedPlace) {
    guard let start = branches[0].regularStart(ofLeaf: place.leaf) else { return }
    if start &+ place.offset != count { endRegularPrefix(at: start &+ place.offset) }
  }
}
