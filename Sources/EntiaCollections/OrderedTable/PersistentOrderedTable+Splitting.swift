extension PersistentOrderedTable {
  /// Turns a table of one leaf into a tree: adds a root above the leaf and indexes the elements.
  @inlinable
  mutating func growTree() {
    let root = OrderedBranches.make(level: 0, parent: 0)
    let leaf = leaves.unique(0)
    Leaves.header(leaf).pointee.parent = 0
    OrderedBranches.insert(0, end: Leaves.count(leaf), at: 0, into: root)
    _ = branches.place(root)
    for offset in 0..<Leaves.count(leaf) { index.insert(Leaves.tags(leaf)[offset], 0) }
  }

  /// Moves a leaf's elements from an offset on to a new leaf after it, and returns the new leaf's
  /// number.
  @inlinable
  mutating func split(_ number: Int, at offset: Int) -> Int {
    let right = Leaves.make(room: Leaves.capacity)
    let leaf = leaves.unique(number)
    let parent = Int(truncatingIfNeeded: Leaves.header(leaf).pointee.parent)
    Leaves.moveTail(of: leaf, from: offset, to: right)
    let moved = Leaves.count(right)
    let rightNumber = leaves.place(right)
    for offset in 0..<moved {
      let tag = Leaves.tags(right)[offset]
      index.remove(tag, number)
      index.insert(tag, rightNumber)
    }
    let place = OrderedBranches.index(of: number, in: branches[parent])
    insertChild(rightNumber, level: 0, taking: moved, at: place &+ 1, of: parent)
    return rightNumber
  }

  /// Inserts a child into a branch. `moved` elements of the child before it now belong to it.
  @inlinable
  mutating func insertChild(
    _ child: Int, level: Int32, taking moved: Int, at index: Int, of parent: Int
  ) {
    var parent = parent
    var index = index
    if OrderedBranches.count(branches[parent]) == OrderedBranches.fanOut {
      if parent == 0 { parent = pushDownRoot() }
      // A new last child should leave a full branch behind.
      let middle =
        index == OrderedBranches.fanOut ? OrderedBranches.fanOut &- 1 : OrderedBranches.fanOut / 2
      let right = splitBranch(parent, at: middle)
      if index > middle {
        parent = right
        index &-= middle
      }
    }
    let branch = branches.unique(parent)
    let end = OrderedBranches.start(of: index, in: branch)
    if moved > 0 { OrderedBranches.ends(branch)[index &- 1] &-= Int32(truncatingIfNeeded: moved) }
    OrderedBranches.insert(child, end: end, at: index, into: branch)
    setParent(of: child, level: level, to: parent)
  }

  /// Moves the root's children to a new branch below it, and returns the new branch's number.
  @inlinable
  mutating func pushDownRoot() -> Int {
    let root = branches.unique(0)
    let level = OrderedBranches.header(root).pointee.level
    let total = OrderedBranches.total(root)
    let below = OrderedBranches.make(level: level, parent: 0)
    OrderedBranches.moveTail(of: root, from: 0, to: below)
    OrderedBranches.header(root).pointee.level = level &+ 1
    let number = branches.place(below)
    OrderedBranches.insert(number, end: total, at: 0, into: branches.unique(0))
    adoptChildren(of: number, from: 0)
    return number
  }

  /// Moves a branch's children from an index on to a new branch after it, and returns the new
  /// branch's number.
  @inlinable
  mutating func splitBranch(_ number: Int, at index: Int) -> Int {
    let branch = branches.unique(number)
    let level = OrderedBranches.header(branch).pointee.level
    let parent = Int(truncatingIfNeeded: OrderedBranches.header(branch).pointee.parent)
    let right = OrderedBranches.make(level: level, parent: parent)
    OrderedBranches.moveTail(of: branch, from: index, to: right)
    let moved = OrderedBranches.total(right)
    let rightNumber = branches.place(right)
    adoptChildren(of: rightNumber, from: 0)
    let place = OrderedBranches.index(of: number, in: branches[parent])
    insertChild(rightNumber, level: level &+ 1, taking: moved, at: place &+ 1, of: parent)
    return rightNumber
  }

  /// Sets the parent of a branch's children from an index on.
  @inlinable
  mutating func adoptChildren(of number: Int, from first: Int) {
    let branch = branches[number]
    let level = OrderedBranches.header(branch).pointee.level
    for index in first..<OrderedBranches.count(branch) {
      let child = Int(truncatingIfNeeded: OrderedBranches.children(branches[number])[index])
      setParent(of: child, level: level, to: number)
    }
  }

  /// Sets a child's parent. At level 0 the child is a leaf.
  @inlinable
  @inline(__always)
  mutating func setParent(of child: Int, level: Int32, to parent: Int) {
    let parent = Int32(truncatingIfNeeded: parent)
    if level == 0 {
      Leaves.header(leaves.unique(child)).pointee.parent = parent
    } else {
      OrderedBranches.header(branches.unique(child)).pointee.parent = parent
    }
  }
}
