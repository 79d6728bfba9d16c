/// Builds an ordered table from its first element to its last.
///
/// Leaves and branches keep some free room, so that the first insertions do not split them.
@frozen
@usableFromInline
struct OrderedTableBuilder<Layout: KeyedElements> {
  @usableFromInline typealias Leaf = OrderedLeafHandle<Layout.Element>
  @usableFromInline typealias Branch = NodeRef<OrderedBranch>

  /// A table whose leaves are numbered in order. `finish()` builds its order tree.
  @usableFromInline var table: PersistentOrderedTable<Layout>
  /// The last leaf, which only the table owns.
  @usableFromInline var tail: Leaf?
  /// The number of elements up to which the last leaf is filled.
  @usableFromInline var tailCount: Int

  @inlinable
  init() {
    table = PersistentOrderedTable()
    tail = nil
    tailCount = 0
  }

  /// The number of children up to which a branch is filled.
  @inlinable
  static var childCount: Int { Branch.fanOut * 3 / 4 }

  /// Appends an element whose key is not in the table.
  @inlinable
  @inline(__always)
  mutating func append(_ element: Layout.Element, tag: UInt32) {
    let leaf = roomyTail()
    leaf.insert(element, tag: tag, at: leaf.count)
    if table.isTree {
      table.addToIndex(tag, Int(table.leaves.limit) &- 1, leaf.count &- 1)
    }
    table.liveCount &+= 1
  }

  /// Appends the elements at a range of positions of another table. Their keys must not be in this
  /// table.
  @inlinable
  mutating func append(_ other: PersistentOrderedTable<Layout>, _ range: Range<Int>) {
    var cursor = OrderedLeafCursor(other)
    var start = cursor.seek(to: range.lowerBound)
    var rest = range.count
    while rest > 0, let leaf = cursor.next() {
      TableWork.note(.nodeVisited)
      let end = min(leaf.count, start &+ rest)
      for offset in start..<end {
        append(leaf.elements[offset], tag: leaf.tags[offset])
      }
      rest &-= end &- start
      start = 0
    }
    withExtendedLifetime(other) {}
  }

  /// Appends an element, or returns the place of its key if the table contains it.
  @inlinable
  @inline(__always)
  mutating func appendIfNew(_ element: Layout.Element) -> OrderedPlace? {
    let key = Layout.key(of: element)
    let tag = table.tag(of: key)
    if let place = table.place(of: key, tag: tag) { return place }
    append(element, tag: tag)
    return nil
  }

  /// Returns the last leaf, after making room for an element.
  @inlinable
  @inline(__always)
  mutating func roomyTail() -> Leaf {
    if let tail, tail.count < tailCount { return tail }
    return addRoom()
  }

  @inlinable
  @inline(never)
  mutating func addRoom() -> Leaf {
    guard let full = tail else {
      tailCount = min(4, Leaf.capacity)
      let first = Leaf.make(room: tailCount)
      _ = table.leaves.place(first)
      tail = first
      return first
    }
    let count = full.count
    if !table.isTree, count < Leaf.capacity {
      tailCount = Leaf.grown(count)
      let grown = Leaf.make(room: tailCount)
      full.moveTail(from: 0, to: grown)
      table.leaves.setRoot(grown.cast())
      tail = grown
      return grown
    }
    let next = Leaf.make(room: Leaf.capacity)
    tailCount = Leaf.capacity &- Leaf.capacity / 8
    if !table.isTree {
      // The regular prefix requires that all leaves but the last have equally many elements.
      full.moveTail(from: tailCount, to: next)
      table.growTree()
      for offset in 0..<next.count { table.addToIndex(next.tags[offset], 1, offset) }
    }
    _ = table.leaves.place(next)
    tail = next
    return next
  }

  /// Returns the table, with its order tree.
  /// - Complexity: O(*n*).
  @inlinable
  mutating func finish() -> PersistentOrderedTable<Layout> {
    tail = nil
    if table.isTree { buildBranches() }
    table.checkInvariants()
    return table
  }

  @inlinable
  mutating func buildBranches() {
    var numbers: [(number: Int, count: Int)] = []
    for leaf in 0..<Int(table.leaves.limit) {
      numbers.append((leaf, table.leaves[leaf].count))
    }
    var level: Int32 = 0
    while numbers.count > Self.childCount {
      var above: [(number: Int, count: Int)] = []
      for start in stride(from: 0, to: numbers.count, by: Self.childCount) {
        let number = table.branches.place(Branch.make(level: level, parent: 0))
        let children = numbers[start..<min(start + Self.childCount, numbers.count)]
        above.append((number, fill(number, children)))
      }
      numbers = above
      level += 1
    }
    let root = table.branches.unique(0)
    root.clear()
    root.mutableHeader.pointee.level = level
    _ = fill(0, numbers[...])
    table.beginRegularPrefix(ofLength: Leaf.capacity &- Leaf.capacity / 8)
  }

  /// Adds the children to an empty branch and returns the number of their elements.
  @inlinable
  mutating func fill(_ number: Int, _ children: ArraySlice<(number: Int, count: Int)>) -> Int {
    let branch = table.branches.unique(number)
    var end = 0
    for (index, child) in children.enumerated() {
      end += child.count
      branch.insert(child.number, end: end, at: index)
    }
    table.adoptChildren(of: number, from: 0)
    return end
  }
}
