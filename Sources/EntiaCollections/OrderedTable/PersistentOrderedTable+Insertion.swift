extension PersistentOrderedTable {
  /// Inserts an element at a position, unless there is one with its key.
  /// - Returns: the position of the element that was there and stays, or `nil` when the new one was
  ///   inserted.
  /// - Precondition: the position is at least 0 and at most `count`, unless the key is there.
  /// - Complexity: O(log *n*) expected; what an older version shares is copied, O(log *n*).
  @inlinable
  @discardableResult
  public mutating func insert(_ element: Element, at position: Int) -> Int? {
    let key = Layout.key(of: element)
    let tag = Self.tag(of: key)
    if let place = place(of: key, tag: tag) {
      return start(ofLeaf: place.leaf) &+ place.offset
    }
    precondition(position >= 0 && position <= count, "Position out of range")
    put(element, tag: tag, at: position)
    return nil
  }

  /// Inserts an element behind all others, unless there is one with its key.
  /// - Returns: the position of the element that was there and stays, or `nil` when the new one was
  ///   appended.
  /// - Complexity: O(log *n*) expected; what an older version shares is copied, O(log *n*).
  @inlinable
  @discardableResult
  public mutating func append(_ element: Element) -> Int? { insert(element, at: count) }

  /// Inserts an element at a position, or replaces the one with its key where that stands.
  /// - Returns: the element that was replaced, if any, and the position of the new one.
  /// - Precondition: the position is at least 0 and at most `count`, unless the key is there.
  /// - Complexity: O(log *n*) expected; what an older version shares is copied, O(log *n*).
  @inlinable
  @discardableResult
  public mutating func updateOrInsert(
    _ element: Element, at position: Int
  ) -> (replaced: Element?, position: Int) {
    let key = Layout.key(of: element)
    let tag = Self.tag(of: key)
    guard let place = place(of: key, tag: tag) else {
      precondition(position >= 0 && position <= count, "Position out of range")
      put(element, tag: tag, at: position)
      return (nil, position)
    }
    return (exchange(element, at: place), start(ofLeaf: place.leaf) &+ place.offset)
  }

  /// Inserts an element behind all others, or replaces the one with its key where that stands.
  /// - Returns: the element that was replaced, or `nil`.
  /// - Complexity: O(log *n*) expected; what an older version shares is copied, O(log *n*).
  @inlinable
  @discardableResult
  public mutating func updateOrAppend(_ element: Element) -> Element? {
    let key = Layout.key(of: element)
    let tag = Self.tag(of: key)
    guard let place = place(of: key, tag: tag) else {
      put(element, tag: tag, at: count)
      return nil
    }
    return exchange(element, at: place)
  }

  /// Changes the element with a key in place; the closure must not change its key.
  /// - Returns: what the closure returns, or `nil` when there is no such element.
  /// - Throws: what the closure throws; what it did to the element until then stays.
  /// - Complexity: O(1) expected; what an older version shares is copied, O(log *n*).
  @inlinable
  @inline(__always)
  public mutating func update<Result, Failure: Error>(
    _ key: Key, _ body: (inout Element) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard let place = place(of: key, tag: Self.tag(of: key)) else { return nil }
    return try body(&(Leaves.elements(leaves.unique(place.leaf)) + place.offset).pointee)
  }

  /// Replaces the element at a place by one with the same key.
  @inlinable
  @inline(__always)
  mutating func exchange(_ element: Element, at place: OrderedPlace) -> Element {
    let target = Leaves.elements(leaves.unique(place.leaf)) + place.offset
    let old = target.move()
    target.initialize(to: element)
    return old
  }

  /// Inserts an element whose key is not in the table.
  @inlinable
  mutating func put(_ element: Element, tag: UInt32, at position: Int) {
    var place = insertionPlace(at: position)
    if leaves.root == nil {
      _ = leaves.place(Leaves.make(room: Swift.min(4, Leaves.capacity)))
    }
    var leaf = leaves.unique(place.leaf)
    if Leaves.header(leaf).pointee.count == Leaves.header(leaf).pointee.room {
      place = makeRoom(at: place, position)
      leaf = leaves.unique(place.leaf)
    }
    Leaves.insert(element, tag: tag, at: place.offset, into: leaf)
    add(1, toLeaf: place.leaf, leaf)
    if isTree { index.insert(tag, place.leaf) }
  }

  /// Finds another place for a new element whose leaf is full, in a new leaf or a neighbor.
  @inlinable
  @inline(never)
  mutating func makeRoom(at place: OrderedPlace, _ position: Int) -> OrderedPlace {
    let leaf = leaves.unique(place.leaf)
    let count = Leaves.count(leaf)
    if !isTree {
      if count < Leaves.capacity {
        let grown = Leaves.make(room: Leaves.grown(count))
        Leaves.moveTail(of: leaf, from: 0, to: grown)
        leaves.root = Unmanaged<AnyObject>.fromOpaque(grown).takeRetainedValue()
        return place
      }
      growTree()
    }
    let parent = Int(truncatingIfNeeded: Leaves.header(leaf).pointee.parent)
    let branch = branches[parent]
    let index = OrderedBranches.index(of: place.leaf, in: branch)
    // Runs of insertions at one place, each behind the one before, are to leave full leaves behind,
    // and so are insertions before everything.
    if place.offset == count {
      if index &+ 1 < OrderedBranches.count(branch) {
        let next = Int(truncatingIfNeeded: OrderedBranches.children(branch)[index &+ 1])
        if Leaves.count(leaves[next]) < Leaves.capacity {
          return OrderedPlace(leaf: next, offset: 0)
        }
      }
      return OrderedPlace(leaf: split(place.leaf, at: count), offset: 0)
    }
    if position == 0 {
      let first = leaves.place(Leaves.make(room: Leaves.capacity))
      insertChild(first, level: 0, taking: 0, at: 0, of: parent)
      return OrderedPlace(leaf: first, offset: 0)
    }
    let middle = Swift.max(count / 2, place.offset)
    let right = split(place.leaf, at: middle)
    return place.offset <= middle
      ? place : OrderedPlace(leaf: right, offset: place.offset &- middle)
  }
}
