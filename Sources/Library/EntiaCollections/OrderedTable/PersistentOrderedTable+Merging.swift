extension PersistentOrderedTable {
  /// Merges a leaf that lost elements with a neighbor if both are small.
  @inlinable
  @inline(__always)
  mutating func shrink(_ number: Int, _ leaf: Leaf) {
    if liveCount == 0 {
      removeAll()
    } else if isTree, leaf.count <= Leaf.capacity / 4 {
      mergeLeaf(number)
    }
  }

  @inlinable
  @inline(never)
  mutating func mergeLeaf(_ number: Int) {
    let parent = leaves[number].parent
    let branch = branches[parent]
    let place = branch.index(of: number)
    if leaves[number].count == 0 {
      branches.unique(parent).remove(at: place)
      leaves.remove(number)
    } else {
      let isLast = place &+ 1 == branch.count
      if isLast && place == 0 { return }
      let left = isLast ? place &- 1 : place
      let leftNumber = branch.child(left)
      let rightNumber = branch.child(left &+ 1)
      // The merged leaf keeps some room, so that one insertion does not split it again.
      let sum = leaves[leftNumber].count &+ leaves[rightNumber].count
      if sum > Leaf.capacity &* 3 / 4 { return }
      // Regular leaves are merged only in a table of copied keys, whose leaves have more room.
      if let start = branches[0].regularStart(ofLeaf: rightNumber) { endRegularPrefix(at: start) }
      let leftLeaf = leaves.unique(leftNumber)
      let rightLeaf = leaves.unique(rightNumber)
      let before = leftLeaf.count
      for offset in 0..<rightLeaf.count {
        let tag = rightLeaf.tags[offset]
        removeFromIndex(tag, rightNumber)
        addToIndex(tag, leftNumber, before &+ offset)
      }
      rightLeaf.moveTail(from: 0, to: leftLeaf)
      leaves.remove(rightNumber)
      branches.unique(parent).join(at: left)
    }
    shrinkBranch(parent)
    // A tree that was much larger is rebuilt to release its unused numbers.
    if leaves.limit > 64, Int(leaves.limit) / 16 > count / Leaf.capacity &+ 1 { rebuild() }
  }

  /// Merges a branch that lost a child with a neighbor if both are small, and continues with its
  /// parent.
  @inlinable
  mutating func shrinkBranch(_ start: Int) {
    var number = start
    while number != 0 {
      let count = branches[number].count
      if count > Branch.fanOut / 4 { return }
      let parent = branches[number].parent
      let above = branches[parent]
      let place = above.index(of: number)
      if count == 0 {
        branches.unique(parent).remove(at: place)
        branches.remove(number)
      } else {
        let isLast = place &+ 1 == above.count
        if isLast && place == 0 { return }
        let left = isLast ? place &- 1 : place
        let leftNumber = above.child(left)
        let rightNumber = above.child(left &+ 1)
        let first = branches[leftNumber].count
        let sum = first &+ branches[rightNumber].count
        if sum > Branch.fanOut &* 3 / 4 { return }
        branches.unique(rightNumber).moveTail(from: 0, to: branches.unique(leftNumber))
        branches.remove(rightNumber)
        branches.unique(parent).join(at: left)
        adoptChildren(of: leftNumber, from: first)
      }
      number = parent
    }
    shrinkRoot()
  }

  /// Removes levels whose only node has one child. A single leaf needs no tree.
  @inlinable
  mutating func shrinkRoot() {
    while branches[0].count == 1 {
      let child = branches[0].child(0)
      if branches[0].level == 0 {
        let leaf = leaves[child]
        leaf.retain()
        leaves = NodeArena()
        _ = leaves.place(leaf)
        branches = NodeArena()
        index = SlotIndex()
        return
      }
      let root = branches.unique(0)
      let below = branches.unique(child)
      root.remove(at: 0)
      root.mutableHeader.pointee.level &-= 1
      below.moveTail(from: 0, to: root)
      branches.remove(child)
      adoptChildren(of: 0, from: 0)
    }
  }

  @inlinable
  @inline(never)
  mutating func rebuild() {
    let flag = ownerFlag
    var builder = OrderedTableBuilder<Layout>()
    builder.append(self, 0..<count)
    self = builder.finish()
    ownerFlag = flag
  }
}
