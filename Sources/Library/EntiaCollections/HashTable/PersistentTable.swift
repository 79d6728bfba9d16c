/// A persistent hash table: a value with O(1) copies, the lookup of a dictionary, and the iteration
/// speed of an array.
///
/// Elements are stored in insertion order, in pages addressed by slot number under a wide tree. A
/// separate index maps hashes to slots. A copy shares everything. A change copies only the path to
/// what it changes, and nothing if the storage is not shared.
///
/// - Iteration follows insertion order. A replaced element keeps its position; an element that is
///   removed and inserted again becomes the last.
/// - Equality and differences skip what two versions share.
@frozen
@usableFromInline
package struct PersistentTable<Layout: KeyedElements> {
  /// The type of the keys.
  @usableFromInline
  package typealias Key = Layout.Key
  /// The type of the elements.
  @usableFromInline
  package typealias Element = Layout.Element

  @usableFromInline typealias TreeNode = NodeRef<RadixNode>
  @usableFromInline typealias Page = PageHandle<Layout.Element>
  @usableFromInline typealias Chunk = NodeRef<IndexChunk>

  /// Keeps the nodes alive that `top` refers to.
  @usableFromInline var root: RadixNode?
  /// The root's address. Code that reads a table without owning it, such as a view, copies this
  /// address, because copying `root` would retain the node.
  @usableFromInline var top: TreeNode?
  @usableFromInline var index: SlotIndex
  /// The number of levels of the page tree above its lowest level of nodes.
  @usableFromInline var levels: UInt8
  /// Log2 of the minimum number of slots in the first page. The first page of a small table is
  /// smaller than other pages, and grows with the table.
  @usableFromInline var firstPageShift: UInt8
  @usableFromInline var storedNextSlot: UInt32
  @usableFromInline var storedLiveCount: UInt32

  /// The start of the gap: while the table is being compacted, all slots from it to `gapEndSlot`
  /// are dead.
  @usableFromInline var gapStartSlot: UInt32
  /// The end of the gap; `UInt32.max` while the table is not being compacted.
  @usableFromInline var gapEndSlot: UInt32

  /// The process's seed of hashes, stored here because reading the global constant is a call.
  @usableFromInline let seed: UInt64

  /// Creates an empty table.
  /// - Complexity: O(1); nothing is allocated.
  @inlinable
  package init() {
    root = nil
    top = nil
    index = SlotIndex()
    levels = 0
    firstPageShift = 0
    storedNextSlot = 0
    storedLiveCount = 0
    gapStartSlot = 0
    gapEndSlot = .max
    seed = HashMixing.seed
  }

  /// The slot of the next new element.
  @inlinable
  var nextSlot: Int {
    @inline(__always)
    get { Int(truncatingIfNeeded: storedNextSlot) }
    @inline(__always)
    set { storedNextSlot = UInt32(truncatingIfNeeded: newValue) }
  }

  @inlinable
  var liveCount: Int {
    @inline(__always)
    get { Int(truncatingIfNeeded: storedLiveCount) }
    @inline(__always)
    set { storedLiveCount = UInt32(truncatingIfNeeded: newValue) }
  }

  /// Returns the part of a key's hash that the index stores.
  @inlinable
  @inline(__always)
  func tag(of key: Key) -> UInt32 { SlotIndex.tag(key.tableHash(seed: seed)) }

  /// Takes ownership of a reference to a new root.
  @inlinable
  @inline(__always)
  mutating func setRoot(_ node: TreeNode) {
    top = node
    root = node.takeObject()
  }

  @inlinable
  @inline(__always)
  var height: Int { Int(truncatingIfNeeded: levels) }

  /// The number of elements.
  /// - Complexity: O(1).
  @inlinable
  package var count: Int { liveCount }

  /// Whether there are no elements.
  /// - Complexity: O(1).
  @inlinable
  package var isEmpty: Bool { count == 0 }

  /// The element with a key, or `nil`.
  /// - Complexity: O(1) expected.
  @inlinable
  package subscript(key: Key) -> Element? {
    @inline(__always)
    get { pointer(to: key)?.pointee }
  }

  /// Whether there is an element with a key.
  /// - Complexity: O(1) expected.
  @inlinable
  @inline(__always)
  package func contains(_ key: Key) -> Bool { slot(of: key) >= 0 }

  /// Whether two tables are the same version and share all storage. If `true`, they are equal.
  /// - Complexity: O(1).
  @inlinable
  package func isIdentical(to other: Self) -> Bool {
    root === other.root && index.root === other.index.root && count == other.count
  }
}

// Nodes are changed only while uniquely referenced, so sharing them between threads is safe.
extension PersistentTable: @unchecked Sendable where Layout.Element: Sendable {}

extension PersistentTable {
  /// Whether the table has no storage, so that it can be filled.
  @inlinable
  package var isFillable: Bool { root == nil && index.word.isNone }

  /// Inserts elements into a table without storage.
  ///
  /// No other version shares a node of the table. Therefore a page is looked up once for all
  /// elements that it receives. The index is searched once for each element.
  /// - Parameters:
  ///   - elements: The elements.
  ///   - inserted: Called with the address of each new element, valid during the call.
  ///   - replace: Called with each element whose key the table already has. The closure may
  ///     overwrite the existing element, but may not insert or remove elements.
  @inlinable
  @inline(__always)
  package mutating func fill(
    _ elements: some Sequence<Element>, inserted: (UnsafePointer<Element>) -> Void,
    replace: (inout Self, consuming Element) -> Void
  ) {
    assert(isFillable, "only a new table is filled")
    let expected = elements.underestimatedCount
    reserveCapacity(expected)
    var iterator = elements.makeIterator()
    // The page that receives new elements, and the slot at which the page ends.
    var page: Page?
    var pageEnd = 0
    // Each `consume` of the element avoids a copy that generic code would make.
    while let element = iterator.next() {
      let key = Layout.key(of: element)
      let tag = self.tag(of: key)
      let found = findEntry(of: key, tag: tag)
      if found.slot >= 0 {
        replace(&self, consume element)
        continue
      }
      if nextSlot == pageEnd {
        precondition(nextSlot < Self.slotLimit, "a table holds fewer than 2^32 rows")
        page = tailPage(expecting: Swift.max(expected &- nextSlot, 1))
        pageEnd =
          nextSlot < Page.capacity ? 1 &<< Int(firstPageShift) : nextSlot &+ Page.capacity
      }
      let target = page.unsafelyUnwrapped
      let position = nextSlot & (Page.capacity &- 1)
      let stored = target.mutableElements + position
      stored.initialize(to: consume element)
      target.mutableHeader.pointee |= 1 &<< UInt64(truncatingIfNeeded: position)
      index.insertUnshared(tag, nextSlot, near: found.entry)
      nextSlot &+= 1
      liveCount &+= 1
      inserted(UnsafePointer(stored))
    }
    checkInvariants()
  }
}

/// The effect of an insertion into a table.
@frozen
public enum TableInsertion<Element> {
  /// The table had no element with the key.
  case inserted
  /// The table had a different element with the key, which was replaced.
  case replaced(Element)
  /// The table had an equal element, and was not changed.
  case unchanged
}

extension TableInsertion: Equatable where Element: Equatable {}
extension TableInsertion: Sendable where Element: Sendable {}

extension PersistentTable where Element: Equatable {
  /// Inserts an element, or replaces the element with the same key in place. If the two elements
  /// are equal, nothing changes, so that no shared storage is copied.
  /// - Complexity: O(1) expected and amortized, plus O(log *n*) for copying what an older version
  ///   shares.
  @inlinable
  @discardableResult
  package mutating func insert(_ element: consuming Element) -> TableInsertion<Element> {
    insertReturningAddress(element).outcome
  }

  /// Inserts an element, or replaces the element with the same key in place. If the two elements
  /// are equal, nothing changes.
  /// - Returns: The effect as `outcome`. `stored` is the address of the element that is now in the
  ///   table, valid until the next change.
  /// - Complexity: O(1) expected and amortized, plus O(log *n*) for copying what an older version
  ///   shares.
  @inlinable
  package mutating func insertReturningAddress(
    _ element: consuming Element
  ) -> (outcome: TableInsertion<Element>, stored: UnsafePointer<Element>) {
    let key = Layout.key(of: element)
    let tag = self.tag(of: key)
    let found = findEntry(of: key, tag: tag)
    if found.slot < 0 { return (.inserted, append(element, tag: tag, near: found.entry)) }
    let known = found.element.unsafelyUnwrapped
    if haveSameValue(known.pointee, element) { return (.unchanged, known) }
    let target = uniquePointer(at: found.slot)
    let old = target.move()
    target.initialize(to: element)
    return (.replaced(old), UnsafePointer(target))
  }
}

extension PersistentTable: InvariantChecking {
  /// Returns the violated invariants of the table's structure: none, unless Entia itself has a
  /// defect.
  /// - Complexity: O(*n*).
  @usableFromInline
  package func invariantViolations() -> [String] {
    var violations: [String] = []
    var live = 0
    var run = firstLiveRun(from: 0)
    while !run.isEmpty {
      for slot in run {
        let found = self.slot(of: Layout.key(of: element(at: slot)))
        if found != slot { violations.append("slot \(slot): the index leads to \(found)") }
      }
      live += run.count
      run = firstLiveRun(from: run.upperBound)
    }
    if live != count { violations.append("\(live) live slots for a count of \(count)") }
    let indexed = index.entryCount
    if indexed != count { violations.append("\(indexed) index entries for a count of \(count)") }
    return violations
  }
}

extension SlotIndex {
  /// The number of entries, counted one by one.
  var entryCount: Int {
    var count = 0
    if !word.isNone { Self.forEachEntry(word) { _, _ in count += 1 } }
    return count
  }
}

extension PersistentTable {
  /// Calls the closure with each run of adjacent elements, in insertion order, until it returns
  /// `false`. The addresses are valid only while the closure runs.
  @inlinable
  package func forEachRun(_ body: (UnsafeBufferPointer<Element>) throws -> Bool) rethrows {
    var cursor = PageCursor(self)
    pages: while let page = cursor.nextPage() {
      let elements = page.elements
      var rest = page.live
      while rest != 0 {
        let skipped = rest.trailingZeroBitCount
        let length = (~(rest &>> UInt64(truncatingIfNeeded: skipped))).trailingZeroBitCount
        let run = UnsafeBufferPointer(start: elements + skipped, count: length)
        guard try body(run) else { break pages }
        // Adding the lowest bit of the run carries through the run, so that `&` clears the run.
        rest &= rest &+ (rest & (0 &- rest))
      }
    }
    withExtendedLifetime(cursor) {}
  }

  /// Returns the address of the element with a key; `order` is a number that increases in insertion
  /// order. Returns `nil` if there is no such element. The address is valid while the table is
  /// neither changed nor released.
  @inlinable
  package func address(of key: Key) -> (element: UnsafePointer<Element>, order: Int)? {
    let slot = slot(of: key)
    return slot < 0 ? nil : (pointer(at: slot), slot)
  }
}

extension PersistentTable {
  /// Calls the closure with each element of this version whose page is not shared with `other`. An
  /// element may still be equal in both versions.
  /// - Complexity: O(changes · log *n*) between versions of one history.
  package func visitUnshared(with other: Self, _ body: (Element) -> Void) {
    guard let top else { return }
    Self.visitUnshared(top, height, other.top, other.height, body)
    withExtendedLifetime((self, other)) {}
  }

  /// Visits a node, unless the corresponding node of another tree is the same. A lower tree
  /// corresponds to the first branch of a higher one.
  private static func visitUnshared(
    _ node: TreeNode, _ height: Int, _ other: TreeNode?, _ otherHeight: Int,
    _ body: (Element) -> Void
  ) {
    guard let other else {
      for index in 0..<TreeNode.fanOut {
        visitUnshared(node.elements[index], height, nil, body)
      }
      return
    }
    if otherHeight > height {
      return visitUnshared(node, height, other.elements[0]?.cast(), otherHeight - 1, body)
    }
    if height > otherHeight {
      if let first = node.elements[0] {
        visitUnshared(first.cast(), height - 1, other, otherHeight, body)
      }
      for index in 1..<TreeNode.fanOut {
        visitUnshared(node.elements[index], height, nil, body)
      }
      return
    }
    if node == other { return }
    for index in 0..<TreeNode.fanOut {
      visitUnshared(node.elements[index], height, other.elements[index], body)
    }
  }

  /// Visits a child of a node, unless the other tree has the same child at that index.
  private static func visitUnshared(
    _ child: AnyNode?, _ height: Int, _ other: AnyNode?, _ body: (Element) -> Void
  ) {
    guard let child, child != other else { return }
    if height > 0 {
      return visitUnshared(child.cast(), height - 1, other?.cast(), height - 1, body)
    }
    let page: Page = child.cast()
    var live = page.live
    while live != 0 {
      body(page.elements[live.trailingZeroBitCount])
      live &= live &- 1
    }
  }
}
