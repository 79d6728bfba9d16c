/// Visits the leaves of one version in order.
@frozen
@usableFromInline
struct OrderedLeafCursor<Layout: KeyedElements> {
  @usableFromInline let table: PersistentOrderedTable<Layout>
  /// The position of the next leaf's first element.
  @usableFromInline var position: Int
  /// The current branch of the lowest level.
  @usableFromInline var branch: NodeRef<OrderedBranch>?
  /// The index of the next leaf in the branch.
  @usableFromInline var index: Int

  @inlinable
  init(_ table: PersistentOrderedTable<Layout>) {
    self.table = table
    position = 0
    branch = nil
    index = 0
  }

  /// Returns the next leaf, or `nil` after the last. The leaf is valid while the cursor exists.
  @inlinable
  @inline(never)
  mutating func next() -> OrderedLeafHandle<Layout.Element>? {
    if position >= table.count { return nil }
    guard table.isTree else {
      position = table.count
      return table.leaves.rootNode.cast()
    }
    if branch == nil || index == branch.unsafelyUnwrapped.count {
      _ = seek(to: position)
    }
    let current = branch.unsafelyUnwrapped
    let ends = current.ends
    position &+= Int(ends[index]) &- current.start(of: index)
    let leaf = table.leaves[current.child(index)]
    index &+= 1
    return leaf
  }

  /// Returns the `leaf` of the last element before a position. `count` is the number of the leaf's
  /// elements before the position. An iteration backward must call only this method. After the
  /// first call, each call must pass the position at which the previously returned leaf begins.
  @inlinable
  @inline(never)
  mutating func previous(
    before end: Int
  ) -> (leaf: OrderedLeafHandle<Layout.Element>, count: Int) {
    guard table.isTree else { return (table.leaves.rootNode.cast(), end) }
    if let branch, index > 0 {
      index &-= 1
      let leaf = table.leaves[branch.child(index)]
      return (leaf, leaf.count)
    }
    let offset = seek(to: end &- 1)
    return (table.leaves[branch.unsafelyUnwrapped.child(index)], offset &+ 1)
  }

  /// Moves to the leaf that contains a position, so that `next` returns this leaf. Returns the
  /// offset of the position in the leaf.
  @inlinable
  mutating func seek(to target: Int) -> Int {
    guard table.isTree, target < table.count else {
      position = target < table.count ? 0 : target
      return target
    }
    var node = table.branches[0]
    var rest = target
    while true {
      index = node.index(containing: rest)
      rest &-= node.start(of: index)
      if node.level == 0 { break }
      node = table.branches[node.child(index)]
    }
    branch = node
    position = target &- rest
    return rest
  }
}

extension PersistentOrderedTable: Sequence {
  /// Calls the closure with every element, in order.
  /// - Throws: The error of the closure.
  /// - Complexity: O(*n*), with no work for an element except the call.
  @inlinable
  @inline(__always)
  package func forEach<Failure: Error>(
    _ body: (Element) throws(Failure) -> Void
  ) throws(Failure) {
    var cursor = OrderedLeafCursor(self)
    while let leaf = cursor.next() {
      let elements = leaf.elements
      for offset in 0..<leaf.count { try body(elements[offset]) }
    }
    withExtendedLifetime(cursor) {}
  }

  /// The number of elements.
  @inlinable
  package var underestimatedCount: Int { count }

  /// Returns an iterator over the elements, in order.
  /// - Complexity: O(1).
  @inlinable
  package func makeIterator() -> Iterator { Iterator(self, from: 0) }

  /// Returns an iterator over the elements at a range of valid positions, in order.
  /// - Complexity: O(log *n*).
  @inlinable
  func makeIterator(of positions: Range<Int>) -> Iterator {
    Iterator(self, from: positions.lowerBound, to: positions.upperBound)
  }

  /// An iterator over the elements of one version, in order.
  @frozen
  @usableFromInline
  package struct Iterator: IteratorProtocol {
    @usableFromInline var cursor: OrderedLeafCursor<Layout>
    @usableFromInline var current: UnsafePointer<Element>?
    @usableFromInline var end: UnsafePointer<Element>?
    /// The position after the last element.
    @usableFromInline let limit: Int

    @inlinable
    init(_ table: PersistentOrderedTable, from position: Int) {
      self.init(table, from: position, to: table.count)
    }

    @inlinable
    init(_ table: PersistentOrderedTable, from position: Int, to limit: Int) {
      cursor = OrderedLeafCursor(table)
      self.limit = limit
      current = nil
      end = nil
      if position == 0 { return }
      let offset = cursor.seek(to: position)
      if advance() { current = current.unsafelyUnwrapped + offset }
    }

    /// Returns the next element, or `nil` after the last.
    /// - Complexity: O(1) amortized.
    @inlinable
    @inline(__always)
    package mutating func next() -> Element? { nextPointer()?.pointee }

    /// Returns the address of the next element, valid while the iterator exists.
    @inlinable
    @inline(__always)
    mutating func nextPointer() -> UnsafePointer<Element>? {
      if current == end, !advance() { return nil }
      let element = current.unsafelyUnwrapped
      current = element + 1
      return element
    }

    @inlinable
    @inline(__always)
    mutating func advance() -> Bool {
      guard cursor.position < limit, let leaf = cursor.next() else { return false }
      let elements = leaf.elements
      current = elements
      end = elements + (leaf.count &- Swift.max(0, cursor.position &- limit))
      return true
    }
  }
}

// The addresses point into nodes that the cursor's own table value keeps alive and unchanged.
extension PersistentOrderedTable.Iterator: @unchecked Sendable where Layout.Element: Sendable {}

/// An iterator over the elements of one version of an ordered table at a range of positions, from
/// the last to the first.
@frozen
@usableFromInline
struct OrderedReverseIterator<Layout: KeyedElements> {
  @usableFromInline typealias Element = Layout.Element

  @usableFromInline var cursor: OrderedLeafCursor<Layout>
  /// The remaining positions in other leaves.
  @usableFromInline var positions: Range<Int>
  /// The address after the element that is returned next. The iterator moves backward.
  @usableFromInline var current: UnsafePointer<Element>?
  /// The value of `current` after all elements of the leaf have been returned.
  @usableFromInline var start: UnsafePointer<Element>?

  @inlinable
  init(_ table: PersistentOrderedTable<Layout>, _ positions: Range<Int>) {
    cursor = OrderedLeafCursor(table)
    self.positions = positions
    current = nil
    start = nil
  }

  /// Returns the address of the next element, valid while the iterator exists.
  @inlinable
  @inline(__always)
  mutating func nextPointer() -> UnsafePointer<Element>? {
    if current == start, !advance() { return nil }
    let element = current.unsafelyUnwrapped - 1
    current = element
    return element
  }

  /// Moves to the previous leaf; returns `false` if there is none.
  // Inlined, so that a loop keeps the addresses in registers. `cursor.previous(before:)` is not
  // inlined.
  @inlinable
  @inline(__always)
  mutating func advance() -> Bool {
    if positions.isEmpty { return false }
    let (leaf, available) = cursor.previous(before: positions.upperBound)
    let end = leaf.elements + available
    let taken = min(available, positions.count)
    current = end
    start = end - taken
    positions = positions.lowerBound..<(positions.upperBound &- taken)
    return true
  }
}
