extension PersistentOrderedTable {
  /// Merges a leaf that lost elements with a neighbor if both are small.
  @inlinable
  @inline(__always)
  mutating func shrink(_ number: Int, _ leaf: NodePointer) {
    if liveCount == 0 {
      removeAll()
    } else if isTree, Leaves.count(leaf) <= Leaves.capacity / 4 {
      mergeLeaf(number)
    }
  }

  @inlinable
  @inline(never)
  mutating func mergeLeaf(_ number: Int) {
    let parent = Int(truncatingIfNeeded: Leaves.header(leaves[number]).pointee.parent)
    let branch = branches[parent]
    let place = OrderedBranches.index(of: number, in: branch)
    if Leaves.count(leaves[number]) == 0 {
      OrderedBranches.remove(at: place, from: branches.unique(parent))
      leaves.remove(number)
    } else {
      let isLast = place &+ 1 == OrderedBranches.count(branch)
      if isLast && place == 0 { return }
      let left = isLast ? place &- 1 : place
      let children = OrderedBranches.children(branch)
      let leftNumber = Int(truncatingIfNeeded: children[left])
      let rightNumber = Int(truncatingIfNeeded: children[left &+ 1])
      // The merged leaf keeps some room, so that one insertion does not split it again.
      let sum = Leaves.count(leaves[leftNumber]) &+ Leaves.count(leaves[rightNumber])
      if sum > Leaves.capacity &* 3 / 4 { return }
      let leftLeaf = leaves.unique(leftNumber)
      let rightLeaf = leaves.unique(rightNumber)
      for offset in 0..<Leaves.count(rightLeaf) {
        let tag = Leaves.tags(rightLeaf)[offset]
        index.remove(tag, rightNumber)
        index.insert(tag, leftNumber)
      }
      Leaves.moveTail(of: rightLeaf, from: 0, to: leftLeaf)
      leaves.remove(rightNumber)
      OrderedBranches.join(at: left, in: branches.unique(parent))
    }
    shrinkBranch(parent)
    // A tree that was much larger is rebuilt to release its unused numbers.
    if leaves.limit > 64, Int(leaves.limit) / 16 > count / Leaves.capacity &+ 1 { rebuild() }
  }

  /// Merges a branch that lost a child with a neighbor if both are small, and continues with its
  /// parent.
  @inlinable
  mutating func shrinkBranch(_ start: Int) {
    var number = start
    while number != 0 {
      let count = OrderedBranches.count(branches[number])
      if count > OrderedBranches.fanOut / 4 { return }
      let parent = Int(truncatingIfNeeded: OrderedBranches.header(branches[number]).pointee.parent)
      let above = branches[parent]
      let place = OrderedBranches.index(of: number, in: above)
      if count == 0 {
        OrderedBranches.remove(at: place, from: branches.unique(parent))
        branches.remove(number)
      } else {
        let isLast = place &+ 1 == OrderedBranches.count(above)
        if isLast && place == 0 { return }
        let left = isLast ? place &- 1 : place
        let leftNumber = Int(truncatingIfNeeded: OrderedBranches.children(above)[left])
        let rightNumber = Int(truncatingIfNeeded: OrderedBranches.children(above)[left &+ 1])
        let first = OrderedBranches.count(branches[leftNumber])
        let sum = first &+ OrderedBranches.count(branches[rightNumber])
        if sum > OrderedBranches.fanOut &* 3 / 4 { return }
        OrderedBranches.moveTail(
          of: branches.unique(rightNumber), from: 0, to: branches.unique(leftNumber))
        branches.remove(rightNumber)
        OrderedBranches.join(at: left, in: branches.unique(parent))
        adoptChildren(of: leftNumber, from: first)
      }
      number = parent
    }
    shrinkRoot()
  }

  /// Removes levels whose only node has one child. A single leaf needs no tree.
  @inlinable
  mutating func shrinkRoot() {
    while OrderedBranches.count(branches[0]) == 1 {
      let child = Int(truncatingIfNeeded: OrderedBranches.children(branches[0])[0])
      if OrderedBranches.header(branches[0]).pointee.level == 0 {
        let leaf = leaves[child]
        retainNode(leaf)
        leaves = NumberedNodes()
        _ = leaves.place(leaf)
        branches = NumberedNodes()
        index = SlotIndex()
        return
      }
      let root = branches.unique(0)
      let below = branches.unique(child)
      OrderedBranches.remove(at: 0, from: root)
      OrderedBranches.header(root).pointee.level &-= 1
      OrderedBranches.moveTail(of: below, from: 0, to: root)
      branches.remove(child)
      adoptChildren(of: 0, from: 0)
    }
  }

  @inlinable
  @inline(never)
  mutating func rebuild() {
    var builder = OrderedTableBuilder<Layout>()
    builder.append(self, 0..<count)
    self = builder.finish()
  }
}
