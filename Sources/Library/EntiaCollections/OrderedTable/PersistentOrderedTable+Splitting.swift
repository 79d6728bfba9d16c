extension PersistentOrderedTable {
  /// Turns a table of one leaf into a tree: adds a root above the leaf and indexes the elements.
  @inlinable
  mutating func growTree() {
    let root = Branch.make(level: 0, parent: 0)
    let leaf = leaves.unique(0)
    leaf.mutableHeader.pointee.parent = 0
    root.insert(0, end: leaf.count, at: 0)
    _ = branches.place(root)
    beginRegularPrefix(ofLength: Leaf.capacity)
    for offset in 0..<leaf.count { addToIndex(leaf.tags[offset], 0, offset) }
  }

  /// Splits a leaf: moves the elements from an offset on into a new leaf after it. Returns the
  /// number of the new leaf.
  @inlinable
  mutating func split(_ number: Int, at offset: Int) -> Int {
    let right = Leaf.make(room: Leaf.capacity)
    let leaf = leaves.unique(number)
    let parent = leaf.parent
    leaf.moveTail(from: offset, to: right)
    let moved = right.count
    let rightNumber = leaves.place(right)
    for offset in 0..<moved {
      let tag = right.tags[offset]
      removeFromIndex(tag, number)
      addToIndex(tag, rightNumber, offset)
    }
    let place = branches[parent].index(of: number)
    insertChild(rightNumber, level: 0, taking: moved, at: place &+ 1, of: parent)
    return rightNumber
  }

  /// Inserts a child into a branch. It has taken over `moved` elements of the child before it.
  @inlinable
  mutating func insertChild(
    _ child: Int, level: Int32, taking moved: Int, at index: Int, of parent: Int
  ) {
    var parent = parent
    var index = index
    if branches[parent].count == Branch.fanOut {
      if parent == 0 { parent = pushDownRoot() }
      // A new last child should leave a full branch behind.
      let middle =
        index == Branch.fanOut ? Branch.fanOut &- 1 : Branch.fanOut / 2
      let right = splitBranch(parent, at: middle)
      if index > middle {
        parent = right
        index &-= middle
      }
    }
    let branch = branches.unique(parent)
    let end = branch.start(of: index)
    if moved > 0 { branch.mutableElements[index &- 1] &-= Int32(truncatingIfNeeded: moved) }
    branch.insert(child, end: end, at: index)
    setParent(of: child, level: level, to: parent)
  }

  /// Moves the root's children to a new branch below it, and returns the new branch's number.
  @inlinable
  mutating func pushDownRoot() -> Int {
    let root = branches.unique(0)
    let level = root.level
    let total = root.total
    let below = Branch.make(level: level, parent: 0)
    root.moveTail(from: 0, to: below)
    root.mutableHeader.pointee.level = level &+ 1
    let number = branches.place(below)
    branches.unique(0).insert(number, end: total, at: 0)
    adoptChildren(of: number, from: 0)
    return number
  }

  /// Splits a branch: moves the children from an index on into a new branch after it. Returns the
  /// number of the new branch.
  @inlinable
  mutating func splitBranch(_ number: Int, at index: Int) -> Int {
    let branch = branches.unique(number)
    let level = branch.level
    let parent = branch.parent
    let right = Branch.make(level: level, parent: parent)
    branch.moveTail(from: index, to: right)
    let moved = right.total
    let rightNumber = branches.place(right)
    adoptChildren(of: rightNumber, from: 0)
    let place = branches[parent].index(of: number)
    insertChild(rightNumber, level: level &+ 1, taking: moved, at: place &+ 1, of: parent)
    return rightNumber
  }

  /// Sets the parent of a branch's children from an index on.
  @inlinable
  mutating func adoptChildren(of number: Int, from first: Int) {
    let branch = branches[number]
    let level = branch.level
    for index in first..<branch.count {
      let child = branches[number].child(index)
      setParent(of: child, level: level, to: number)
    }
  }

  /// Sets a child's parent. At level 0 the child is a leaf.
  @inlinable
  @inline(__always)
  mutating func setParent(of child: Int, level: Int32, to parent: Int) {
    let parent = Int32(truncatingIfNeeded: parent)
    if level == 0 {
      leaves.unique(child).mutableHeader.pointee.parent = parent
    } else {
      branches.unique(child).mutableHeader.pointee.parent = parent
    }
  }
}
