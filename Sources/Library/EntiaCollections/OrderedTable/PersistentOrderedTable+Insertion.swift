extension PersistentOrderedTable {
  /// Inserts an element at a position, unless the table has an element with the same key.
  /// - Returns: The position of the existing element with the same key, or `nil` if the new element
  ///   was inserted.
  /// - Precondition: The position is in `0...count`. It is ignored if the table has the key.
  /// - Complexity: O(log *n*) expected, including the copy of what an older version shares.
  @inlinable
  @discardableResult
  package mutating func insert(_ element: Element, at position: Int) -> Int? {
    let key = Layout.key(of: element)
    let tag = self.tag(of: key)
    if let place = place(of: key, tag: tag) {
      return start(ofLeaf: place.leaf) &+ place.offset
    }
    precondition(position >= 0 && position <= count, "Position out of range")
    put(element, tag: tag, at: position)
    return nil
  }

  /// Inserts an element after all others, unless the table has an element with the same key.
  /// - Returns: The position of the existing element with the same key, or `nil` if the new element
  ///   was appended.
  /// - Complexity: O(log *n*) expected, including the copy of what an older version shares.
  @inlinable
  @discardableResult
  package mutating func append(_ element: Element) -> Int? { insert(element, at: count) }

  /// Inserts an element at a position. If the table has an element with the same key, replaces that
  /// element instead, without moving it.
  /// - Returns: The element that was replaced, if any, and the position of the new one.
  /// - Precondition: The position is in `0...count`. It is ignored if the table has the key.
  /// - Complexity: O(log *n*) expected, including the copy of what an older version shares.
  @inlinable
  @discardableResult
  package mutating func updateOrInsert(
    _ element: Element, at position: Int
  ) -> (replaced: Element?, position: Int) {
    let key = Layout.key(of: element)
    let tag = self.tag(of: key)
    guard let place = place(of: key, tag: tag) else {
      precondition(position >= 0 && position <= count, "Position out of range")
      put(element, tag: tag, at: position)
      return (nil, position)
    }
    return (exchange(element, at: place), start(ofLeaf: place.leaf) &+ place.offset)
  }

  /// Inserts an element after all others. If the table has an element with the same key, replaces
  /// that element instead, without moving it.
  /// - Returns: The element that was replaced, or `nil`.
  /// - Complexity: O(log *n*) expected, including the copy of what an older version shares.
  @inlinable
  @discardableResult
  package mutating func updateOrAppend(_ element: Element) -> Element? {
    let key = Layout.key(of: element)
    let tag = self.tag(of: key)
    guard let place = place(of: key, tag: tag) else {
      put(element, tag: tag, at: count)
      return nil
    }
    return exchange(element, at: place)
  }

  /// Finds the element with a key and changes it in place. The closure must not change the key.
  /// - Returns: The result of the closure, or `nil` if there is no such element.
  /// - Throws: The error of the closure. Changes that the closure made before it threw are kept.
  /// - Complexity: O(1) expected, plus O(log *n*) for copying what an older version shares.
  @inlinable
  @inline(__always)
  package mutating func update<Result, Failure: Error>(
    _ key: Key, _ body: (inout Element) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard let place = place(of: key, tag: tag(of: key)) else { return nil }
    return try body(&(leaves.unique(place.leaf).mutableElements + place.offset).pointee)
  }

  /// Replaces the element at a place with one that has the same key, and returns the old one.
  @inlinable
  @inline(__always)
  mutating func exchange(_ element: Element, at place: OrderedPlace) -> Element {
    let target = leaves.unique(place.leaf).mutableElements + place.offset
    let old = target.move()
    target.initialize(to: element)
    return old
  }

  /// Inserts an element whose key is not in the table.
  @inlinable
  mutating func put(_ element: Element, tag: UInt32, at position: Int) {
    var place = insertionPlace(at: position)
    if leaves.root == nil {
      _ = leaves.place(Leaf.make(room: Swift.min(4, Leaf.capacity)))
    }
    var leaf = leaves.unique(place.leaf)
    if leaf.header.pointee.count == leaf.header.pointee.room {
      place = makeRoom(at: place, position)
      leaf = leaves.unique(place.leaf)
    }
    leaf.insert(element, tag: tag, at: place.offset)
    add(1, toLeaf: place.leaf, leaf)
    if isTree {
      addToIndex(tag, place.leaf, place.offset)
      updateRegularPrefix(insertedAt: position, place)
    }
    checkInvariants()
  }

  /// Adds room for a new element, because the leaf at `place` is full. Returns the place for the
  /// element: in the same leaf after growing or splitting it, in a new leaf, or in the next leaf.
  @inlinable
  @inline(never)
  mutating func makeRoom(at place: OrderedPlace, _ position: Int) -> OrderedPlace {
    let leaf = leaves.unique(place.leaf)
    let count = leaf.count
    if !isTree {
      if count < Leaf.capacity {
        let grown = Leaf.make(room: Leaf.grown(count))
        leaf.moveTail(from: 0, to: grown)
        leaves.setRoot(grown.cast())
        return place
      }
      growTree()
    }
    let parent = leaf.parent
    let branch = branches[parent]
    let index = branch.index(of: place.leaf)
    // Insertions at the end of a leaf and at the start of the table do not split a leaf in its
    // middle, because many insertions there should result in full leaves.
    if place.offset == count {
      if index &+ 1 < branch.count {
        let next = branch.child(index &+ 1)
        if leaves[next].count < Leaf.capacity {
          return OrderedPlace(leaf: next, offset: 0)
        }
      }
      return OrderedPlace(leaf: split(place.leaf, at: count), offset: 0)
    }
    if position == 0 {
      let first = leaves.place(Leaf.make(room: Leaf.capacity))
      insertChild(first, level: 0, taking: 0, at: 0, of: parent)
      return OrderedPlace(leaf: first, offset: 0)
    }
    // The place stays at the end of the left leaf, or within it.
    _ = split(place.leaf, at: Swift.max(count / 2, place.offset))
    return place
  }
}

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

  /// Splits a leaf: moves its elements, beginning at an offset, to a new leaf directly after the
  /// old leaf. Returns the number of the new leaf.
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

  /// Inserts a child into a branch. The new child has taken over `moved` elements of the child
  /// before it.
  @inlinable
  mutating func insertChild(
    _ child: Int, level: Int32, taking moved: Int, at index: Int, of parent: Int
  ) {
    var parent = parent
    var index = index
    if branches[parent].count == Branch.fanOut {
      if parent == 0 { parent = pushDownRoot() }
      // A branch that grows at its end is split near its end, so that the left part stays full.
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

  /// Splits a branch: moves its children, beginning at an index, to a new branch directly after the
  /// old branch. Returns the number of the new branch.
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

  /// Sets the parent of the children of a branch, from the child at the index `first` on.
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
