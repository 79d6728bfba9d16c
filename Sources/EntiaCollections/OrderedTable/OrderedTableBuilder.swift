/// Builds an ordered table from its first element to its last.
///
/// Leaves and branches keep some free room, so that the first insertions do not split them.
@frozen
@usableFromInline
struct OrderedTableBuilder<Layout: KeyedElements> {
  @usableFromInline typealias Leaves = OrderedLeaves<Layout.Element>

  /// A table whose leaves are numbered in order. `finish()` builds its order tree.
  @usableFromInline var table: PersistentOrderedTable<Layout>
  /// The last leaf, which only the table owns.
  @usableFromInline var tail: NodePointer?
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
  static var childCount: Int { OrderedBranches.fanOut * 3 / 4 }

  /// Appends an element whose key is not in the table.
  @inlinable
  @inline(__always)
  mutating func append(_ element: Layout.Element, tag: UInt32) {
    let leaf = roomyTail()
    Leaves.insert(element, tag: tag, at: Leaves.count(leaf), into: leaf)
    if table.isTree { table.index.insert(tag, Int(table.leaves.limit) &- 1) }
    table.liveCount &+= 1
  }

  /// Appends the elements at a range of another table's positions. Their keys must not be in the
  /// table.
  @inlinable
  mutating func append(_ other: PersistentOrderedTable<Layout>, _ range: Range<Int>) {
    var cursor = OrderedLeafCursor(other)
    var start = cursor.seek(to: range.lowerBound)
    var rest = range.count
    while rest > 0, let leaf = cursor.next() {
      let end = min(Leaves.count(leaf), start &+ rest)
      for offset in start..<end {
        append(Leaves.elements(leaf)[offset], tag: Leaves.tags(leaf)[offset])
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
  mutating func roomyTail() -> NodePointer {
    if let tail, Leaves.count(tail) < tailCount { return tail }
    return addRoom()
  }

  @inlinable
  @inline(never)
  mutating func addRoom() -> NodePointer {
    guard let full = tail else {
      tailCount = min(4, Leaves.capacity)
      let first = Leaves.make(room: tailCount)
      _ = table.leaves.place(first)
      tail = first
      return first
    }
    let count = Leaves.count(full)
    if !table.isTree, count < Leaves.capacity {
      tailCount = Leaves.grown(count)
      let grown = Leaves.make(room: tailCount)
      Leaves.moveTail(of: full, from: 0, to: grown)
      table.leaves.root = Unmanaged<AnyObject>.fromOpaque(grown).takeRetainedValue()
      tail = grown
      return grown
    }
    if !table.isTree { table.growTree() }
    tailCount = Leaves.capacity &- Leaves.capacity / 8
    let next = Leaves.make(room: Leaves.capacity)
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
    return table
  }

  @inlinable
  mutating func buildBranches() {
    var numbers: [(number: Int, count: Int)] = []
    for leaf in 0..<Int(table.leaves.limit) {
      numbers.append((leaf, Leaves.count(table.leaves[leaf])))
    }
    var level: Int32 = 0
    while numbers.count > Self.childCount {
      var above: [(number: Int, count: Int)] = []
      for start in stride(from: 0, to: numbers.count, by: Self.childCount) {
        let number = table.branches.place(OrderedBranches.make(level: level, parent: 0))
        let children = numbers[start..<min(start + Self.childCount, numbers.count)]
        above.append((number, fill(number, children)))
      }
      numbers = above
      level += 1
    }
    let root = table.branches.unique(0)
    OrderedBranches.clear(root)
    OrderedBranches.header(root).pointee.level = level
    _ = fill(0, numbers[...])
  }

  /// Adds the children to an empty branch and returns the number of their elements.
  @inlinable
  mutating func fill(_ number: Int, _ children: ArraySlice<(number: Int, count: Int)>) -> Int {
    let branch = table.branches.unique(number)
    var end = 0
    for (index, child) in children.enumerated() {
      end += child.count
      OrderedBranches.insert(child.number, end: end, at: index, into: branch)
    }
    table.adoptChildren(of: number, from: 0)
    return end
  }
}
