/// Builds an ordered table from its first element to its last, with full leaves.
@frozen
@usableFromInline
struct OrderedTableBuilder<Layout: KeyedElements> {
  @usableFromInline typealias Leaves = OrderedLeaves<Layout.Element>

  /// A table whose leaves are numbered in order, and whose order tree is made in the end.
  @usableFromInline var table: PersistentOrderedTable<Layout>
  /// The last leaf, which the table alone owns.
  @usableFromInline var tail: NodePointer?

  @inlinable
  init() {
    table = PersistentOrderedTable()
    tail = nil
  }

  /// Appends an element whose key is not there.
  @inlinable
  @inline(__always)
  mutating func append(_ element: Layout.Element, tag: UInt32) {
    let leaf = roomyTail()
    Leaves.insert(element, tag: tag, at: Leaves.count(leaf), into: leaf)
    if table.isTree { table.index.insert(tag, Int(table.leaves.limit) &- 1) }
    table.liveCount &+= 1
  }

  /// Appends the elements at a range of another table's positions, whose keys are not there.
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

  /// Appends an element unless its key is there; returns where the key is otherwise.
  @inlinable
  @inline(__always)
  mutating func appendIfNew(_ element: Layout.Element) -> OrderedPlace? {
    let key = Layout.key(of: element)
    let tag = PersistentOrderedTable<Layout>.tag(of: key)
    if let place = table.place(of: key, tag: tag) { return place }
    append(element, tag: tag)
    return nil
  }

  /// The last leaf, with room for an element.
  @inlinable
  @inline(__always)
  mutating func roomyTail() -> NodePointer {
    if let tail, Leaves.header(tail).pointee.count < Leaves.header(tail).pointee.room { return tail }
    return addRoom()
  }

  @inlinable
  @inline(never)
  mutating func addRoom() -> NodePointer {
    guard let full = tail else {
      let first = Leaves.make(room: min(4, Leaves.capacity))
      _ = table.leaves.place(first)
      tail = first
      return first
    }
    let count = Leaves.count(full)
    if count < Leaves.capacity {
      let grown = Leaves.make(room: min(2 &* count, Leaves.capacity))
      Leaves.moveTail(of: full, from: 0, to: grown)
      table.leaves.root = Unmanaged<AnyObject>.fromOpaque(grown).takeRetainedValue()
      tail = grown
      return grown
    }
    if !table.isTree { table.growTree() }
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
    while numbers.count > OrderedBranches.fanOut {
      var above: [(number: Int, count: Int)] = []
      for start in stride(from: 0, to: numbers.count, by: OrderedBranches.fanOut) {
        let number = table.branches.place(OrderedBranches.make(level: level, parent: 0))
        let children = numbers[start..<min(start + OrderedBranches.fanOut, numbers.count)]
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

  /// Gives an empty branch its children; returns how many elements they have.
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
