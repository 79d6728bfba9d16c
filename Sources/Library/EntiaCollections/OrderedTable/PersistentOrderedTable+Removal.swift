extension PersistentOrderedTable {
  /// Removes the element at a position.
  /// - Returns: The removed element.
  /// - Precondition: The position is at least 0 and less than `count`.
  /// - Complexity: O(log *n*). This includes the copies of nodes that an older version shares.
  @inlinable
  @discardableResult
  package mutating func remove(at position: Int) -> Element {
    checkElement(at: position)
    return takeOut(place(at: position)).element
  }

  /// Removes the element with a key.
  /// - Returns: The removed element, or `nil`.
  /// - Complexity: O(log *n*) expected. This includes the copies of nodes that an older version
  ///   shares.
  @inlinable
  @discardableResult
  package mutating func remove(_ key: Key) -> Element? {
    guard let place = place(of: key, tag: tag(of: key)) else { return nil }
    return takeOut(place).element
  }

  /// Removes the elements at a range of positions.
  /// - Precondition: The range is within `0..<count`.
  /// - Complexity: O(*k* + log *n*), where *k* is the length of the range.
  @inlinable
  package mutating func removeSubrange(_ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "Range out of bounds")
    var rest = range.count
    if rest == count {
      removeAll()
      return
    }
    while rest > 0 {
      let place = place(at: range.lowerBound)
      let leaf = leaves.unique(place.leaf)
      let end = Swift.min(place.offset &+ rest, leaf.count)
      if isTree {
        // The regular prefix (see `regularPlace(of:)`) is ended in every iteration, because
        // `shrink` may have rebuilt the table in the previous iteration. The regular prefix of a
        // rebuilt table contains all positions.
        endRegularPrefix(at: range.lowerBound)
        for offset in place.offset..<end { removeFromIndex(leaf.tags[offset], place.leaf) }
      }
      leaf.removeSubrange(place.offset..<end)
      add(place.offset &- end, toLeaf: place.leaf, leaf)
      rest &-= end &- place.offset
      shrink(place.leaf, leaf)
    }
    checkInvariants()
  }

  /// Removes every element.
  /// - Complexity: O(1) if an older version shares the elements, else O(*n*) for releasing them.
  @inlinable
  package mutating func removeAll() {
    let flag = ownerFlag
    self = Self()
    ownerFlag = flag
  }

  /// Moves an element from one position to another.
  /// - Precondition: Both positions are at least 0 and less than `count`.
  /// - Complexity: O(log *n*). This includes the copies of nodes that an older version shares.
  @inlinable
  package mutating func move(from position: Int, to target: Int) {
    checkElement(at: position)
    checkElement(at: target)
    if position == target { return }
    let (element, tag) = takeOut(place(at: position))
    put(element, tag: tag, at: target)
  }

  /// Exchanges the elements at two positions.
  /// - Precondition: Both positions are at least 0 and less than `count`.
  /// - Complexity: O(log *n*). This includes the copies of nodes that an older version shares.
  @inlinable
  package mutating func swapAt(_ first: Int, _ second: Int) {
    checkElement(at: first)
    checkElement(at: second)
    if first == second { return }
    let a = place(at: first)
    let b = place(at: second)
    let aLeaf = leaves.unique(a.leaf)
    let bLeaf = leaves.unique(b.leaf)
    let aTag = aLeaf.tags[a.offset]
    let bTag = bLeaf.tags[b.offset]
    aLeaf.mutableTags[a.offset] = bTag
    bLeaf.mutableTags[b.offset] = aTag
    let element = (aLeaf.mutableElements + a.offset).move()
    (aLeaf.mutableElements + a.offset).moveInitialize(
      from: bLeaf.mutableElements + b.offset, count: 1)
    (bLeaf.mutableElements + b.offset).initialize(to: element)
    if a.leaf == b.leaf { return }
    removeFromIndex(aTag, a.leaf)
    removeFromIndex(bTag, b.leaf)
    addToIndex(aTag, b.leaf, b.offset)
    addToIndex(bTag, a.leaf, a.offset)
    checkInvariants()
  }

  @inlinable
  mutating func takeOut(_ place: OrderedPlace) -> (element: Element, tag: UInt32) {
    let leaf = leaves.unique(place.leaf)
    let tag = leaf.tags[place.offset]
    let element = (leaf.mutableElements + place.offset).move()
    close(place, leaf, tag: tag)
    return (element, tag)
  }

  /// Closes the gap of an element that was moved out of a leaf. Only this table owns the leaf.
  @inlinable
  mutating func close(_ place: OrderedPlace, _ leaf: Leaf, tag: UInt32) {
    leaf.close(at: place.offset)
    if isTree { removeFromIndex(tag, place.leaf) }
    add(-1, toLeaf: place.leaf, leaf)
    if isTree { updateRegularPrefix(removedAt: place) }
    shrink(place.leaf, leaf)
    checkInvariants()
  }
}

extension PersistentOrderedTable {
  /// Called after a leaf has lost elements. Merges the leaf with a neighbor if both are small.
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
      // If the regular prefix contains the right leaf, the prefix is ended before this leaf. This
      // is rare, because two leaves of the prefix usually have too many elements to be merged.
      // However, `keys` returns a table whose leaves may have a greater capacity than the leaves
      // from which they were copied.
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

  /// Called after a branch has lost a child. Merges the branch with a neighbor if both are small,
  /// and continues with its parent.
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
