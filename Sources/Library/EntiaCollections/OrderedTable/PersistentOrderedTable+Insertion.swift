extension PersistentOrderedTable {
  /// Inserts an element at a position, unless the table has one with its key.
  /// - Returns: The position of the element that the table has and keeps, or `nil` if the new one
  ///   was inserted.
  /// - Precondition: The position is at least 0 and at most `count`, unless the table has the key.
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

  /// Inserts an element after all others, unless the table has one with its key.
  /// - Returns: The position of the element that the table has and keeps, or `nil` if the new one
  ///   was appended.
  /// - Complexity: O(log *n*) expected, including the copy of what an older version shares.
  @inlinable
  @discardableResult
  package mutating func append(_ element: Element) -> Int? { insert(element, at: count) }

  /// Inserts an element at a position, or replaces the one with its key in place.
  /// - Returns: The element that was replaced, if any, and the position of the new one.
  /// - Precondition: The position is at least 0 and at most `count`, unless the table has the key.
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

  /// Inserts an element after all others, or replaces the one with its key in place.
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

  /// Changes the element with a key in place; the closure must not change its key.
  /// - Returns: The result of the closure, or `nil` if there is no such element.
  /// - Throws: The error of the closure. Its changes to the element until then are kept.
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

  /// Returns the place for a new element whose leaf is full: in the grown or split leaf, a new leaf
  /// or a neighbor.
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
    // Successive insertions in ascending positions should result in full leaves. So should repeated
    // insertions at the start.
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
    let middle = Swift.max(count / 2, place.offset)
    let right = split(place.leaf, at: middle)
    return place.offset <= middle
      ? place : OrderedPlace(leaf: right, offset: place.offset &- middle)
  }
}
