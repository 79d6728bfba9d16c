/// A persistent table in a user-defined order. Elements are accessed by key or by position, and
/// inserted, moved and removed anywhere in logarithmic time. A copy costs nothing.
///
/// Elements are stored in order in leaves of about 1 KB. A leaf has a number that it keeps when it
/// is copied. A small table is one leaf. A larger table has three maps:
/// - An order tree of plain numbers maps positions to leaves.
/// - The parent numbers of leaves and branches map leaves to positions.
/// - A hash index maps keys to leaves.
///
/// A copy shares everything. A change copies only the paths to what it changes, and nothing if the
/// storage is not shared.
@frozen
@usableFromInline
package struct PersistentOrderedTable<Layout: KeyedElements> {
  /// The type of the keys.
  @usableFromInline
  package typealias Key = Layout.Key
  /// The type of the elements.
  @usableFromInline
  package typealias Element = Layout.Element

  @usableFromInline typealias Leaf = OrderedLeafHandle<Layout.Element>
  @usableFromInline typealias Branch = NodeRef<OrderedBranch>

  @usableFromInline var leaves: NodeArena<OrderedLeaf<Layout.Element>>
  @usableFromInline var liveCount: Int32
  /// Half of the process's hash seed, stored because reading the global constant is a call. Only
  /// half is stored, so that an empty table stays small. The lowest bit is `ownerFlag`.
  @usableFromInline var halfSeedAndFlag: UInt32
  /// The order tree, whose root is number 0. It is empty while there is at most one leaf.
  @usableFromInline var branches: NodeArena<OrderedBranch>
  /// Maps a key's tag to its leaf, with a hint of the offset in the leaf. It is empty while there
  /// is at most one leaf.
  @usableFromInline var index: SlotIndex
  /// Creates an empty table.
  /// - Complexity: O(1); nothing is allocated.
  @inlinable
  package init() {
    leaves = NodeArena()
    liveCount = 0
    branches = NodeArena()
    index = SlotIndex()
    halfSeedAndFlag = UInt32(truncatingIfNeeded: HashMixing.seed &>> 32) & ~1
  }

  /// A flag that the table stores for its owner, `false` in a new table.
  @inlinable
  var ownerFlag: Bool {
    @inline(__always)
    get { halfSeedAndFlag & 1 != 0 }
    set { halfSeedAndFlag = halfSeedAndFlag & ~1 | (newValue ? 1 : 0) }
  }

  /// The number of elements.
  /// - Complexity: O(1).
  @inlinable
  package var count: Int { Int(liveCount) }

  /// Whether there are no elements.
  /// - Complexity: O(1).
  @inlinable
  package var isEmpty: Bool { liveCount == 0 }

  /// Whether the table has an order tree, rather than one leaf or none.
  @inlinable
  @inline(__always)
  var isTree: Bool { branches.root != nil }

  /// The element with a key, or `nil`.
  /// - Complexity: O(1) expected.
  @inlinable
  package subscript(key: Key) -> Element? {
    @inline(__always)
    get { pointer(to: key)?.pointee }
  }

  /// The element at a position. A change in place must keep the element's key.
  /// - Precondition: The position is at least 0 and less than `count`.
  /// - Complexity: O(log *n*). For a change, this includes copying what an older version shares.
  @inlinable
  package subscript(position position: Int) -> Element {
    @inline(__always)
    get {
      checkElement(at: position)
      let place = place(at: position)
      return leaves[place.leaf].elements[place.offset]
    }
    @inline(__always)
    _modify {
      checkElement(at: position)
      let place = place(at: position)
      yield &leaves.unique(place.leaf).mutableElements[place.offset]
    }
  }

  /// Whether there is an element with a key.
  /// - Complexity: O(1) expected.
  @inlinable
  @inline(__always)
  package func contains(_ key: Key) -> Bool { pointer(to: key) != nil }

  /// Returns the position of the element with a key, or `nil`.
  /// - Complexity: O(log *n*) expected.
  @inlinable
  package func position(of key: Key) -> Int? {
    guard let place = place(of: key, tag: tag(of: key)) else { return nil }
    return start(ofLeaf: place.leaf) &+ place.offset
  }

  /// Whether two tables are the same version and share all storage. If `true`, they are equal.
  /// - Complexity: O(1).
  @inlinable
  package func isIdentical(to other: Self) -> Bool {
    leaves.root === other.leaves.root && branches.root === other.branches.root
      && count == other.count
  }

  @inlinable
  @inline(__always)
  func checkElement(at position: Int) {
    precondition(position >= 0 && position < count, "Position out of range")
  }
}

// Nodes are changed only while uniquely referenced, so sharing them between threads is safe.
extension PersistentOrderedTable: @unchecked Sendable where Layout.Element: Sendable {}

extension PersistentOrderedTable {
  /// Returns the index's entry for a place: the number of the leaf, and in the lowest bits the
  /// offset.
  ///
  /// The offset is only a hint, because changes in front of an element in its leaf do not update
  /// its entry. A look-up reads the element at the offset without waiting for the leaf's tags, and
  /// searches the tags only if that element has another key.
  @inlinable
  @inline(__always)
  static func indexEntry(_ leaf: Int, _ offset: Int) -> Int {
    assert(offset < 1 &<< offsetBits)
    // An entry has 32 bits. Leaves with greater numbers would need tens of gigabytes of memory.
    precondition(leaf < 1 &<< (32 &- offsetBits), "An ordered table has too many elements")
    return leaf &<< offsetBits | offset
  }

  /// The number of bits of an offset in a leaf, which has at most 32 elements.
  @inlinable
  @inline(__always)
  static var offsetBits: Int { 5 }

  @inlinable
  @inline(__always)
  static func leaf(ofEntry entry: Int) -> Int { entry &>> offsetBits }

  /// Returns the offset of a key in the leaf of an entry, or -1.
  @inlinable
  @inline(__always)
  static func offset(of key: Key, tag: UInt32, in leaf: Leaf, entry: Int) -> Int {
    let hint = entry & (1 &<< offsetBits &- 1)
    // The search below would also find an element at `hint`, but later: it reads the element after
    // the tags. Here, the processor predicts that the tag is equal, and reads the element at once.
    if hint < leaf.count, leaf.tags[hint] == tag, Layout.key(of: leaf.elements[hint]) == key {
      return hint
    }
    return leaf.offset(of: key, tag: tag, Layout.self)
  }

  /// Adds the entry for an element at a place.
  @inlinable
  @inline(__always)
  mutating func addToIndex(_ tag: UInt32, _ leaf: Int, _ offset: Int) {
    index.insert(tag, Self.indexEntry(leaf, offset))
  }

  /// Removes an entry for a tag and a leaf. Entries that differ only in the offset are equivalent.
  @inlinable
  mutating func removeFromIndex(_ tag: UInt32, _ leaf: Int) {
    index.remove(tag) { Self.leaf(ofEntry: $0) == leaf }
  }
}

extension PersistentOrderedTable {
  /// The keys in the order of their elements, without the elements.
  ///
  /// The order tree and the index refer to elements by leaves and tags, so the new table shares
  /// both. The leaves are copied, without hashing a key.
  /// - Complexity: O(*n*).
  @inlinable
  var keys: PersistentOrderedTable<SelfKeyed<Key>> {
    var result = PersistentOrderedTable<SelfKeyed<Key>>()
    let isTree = isTree
    // A leaf has room for at least as many keys as elements, because a key is never larger than its
    // element.
    result.leaves = leaves.map { Self.keyLeaf(of: $0, isFullSize: isTree) }
    result.liveCount = liveCount
    result.branches = branches
    result.index = index
    return result
  }

  /// Returns a new leaf that contains the keys of the elements of `leaf`.
  @inlinable
  static func keyLeaf(of leaf: Leaf, isFullSize: Bool) -> OrderedLeafHandle<Key> {
    typealias KeyLeaf = OrderedLeafHandle<Key>
    let count = leaf.count
    let header = leaf.header.pointee
    let result = KeyLeaf.make(
      room: isFullSize ? KeyLeaf.capacity : Int(truncatingIfNeeded: header.room))
    result.mutableHeader.pointee.count = header.count
    result.mutableHeader.pointee.parent = header.parent
    result.mutableTags.update(from: leaf.tags, count: count)
    let elements = leaf.elements
    let keys = result.mutableElements
    for offset in 0..<count {
      (keys + offset).initialize(to: Layout.key(of: elements[offset]))
    }
    return result
  }
}

extension PersistentOrderedTable {
  /// Creates a table of the elements in their order. Of several elements with the same key, the
  /// last one is stored, at the position of the first.
  /// - Complexity: O(*n*) expected.
  @inlinable
  package init(_ elements: some Sequence<Element>) {
    var builder = OrderedTableBuilder<Layout>()
    for element in elements {
      guard let place = builder.appendIfNew(element) else { continue }
      _ = builder.table.exchange(element, at: place)
    }
    self = builder.finish()
  }

  /// Creates a table of elements whose keys are known to be unique.
  /// - Complexity: O(*n*) expected.
  @inlinable
  init(unchecked elements: some Sequence<Element>) {
    var builder = OrderedTableBuilder<Layout>()
    for element in elements {
      builder.append(element, tag: builder.table.tag(of: Layout.key(of: element)))
    }
    self = builder.finish()
  }

  /// Replaces the elements at a range of positions. New elements are left out if their key is
  /// elsewhere in the table or repeats among the new elements.
  /// - Returns: The new elements that were left out.
  /// - Precondition: The range is within `0..<count`.
  /// - Complexity: O(*k* log *n*) expected, where *k* is the number of removed and inserted
  ///   elements, and never more than O(*n* + *k*).
  @inlinable
  @discardableResult
  package mutating func replaceSubrange(
    _ range: Range<Int>, with elements: some Collection<Element>
  ) -> [Element] {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "Range out of bounds")
    var leftOut: [Element] = []
    if (range.count &+ elements.count) &* 4 < count {
      removeSubrange(range)
      var position = range.lowerBound
      for element in elements {
        if insert(element, at: position) == nil {
          position &+= 1
        } else {
          leftOut.append(element)
        }
      }
      return leftOut
    }
    var builder = OrderedTableBuilder<Layout>()
    builder.append(self, 0..<range.lowerBound)
    for element in elements {
      if let position = position(of: Layout.key(of: element)), position >= range.upperBound {
        leftOut.append(element)
      } else if builder.appendIfNew(element) != nil {
        leftOut.append(element)
      }
    }
    builder.append(self, range.upperBound..<count)
    let flag = ownerFlag
    self = builder.finish()
    ownerFlag = flag
    return leftOut
  }
}

extension PersistentOrderedTable {
  /// Calls the closure with each run of adjacent elements, in order, until it returns `false`. The
  /// addresses are valid only while the closure runs.
  @inlinable
  package func forEachRun(_ body: (UnsafeBufferPointer<Element>) throws -> Bool) rethrows {
    var cursor = OrderedLeafCursor(self)
    while let leaf = cursor.next() {
      let elements = UnsafeBufferPointer(start: leaf.elements, count: leaf.count)
      guard try body(elements) else { break }
    }
    withExtendedLifetime(cursor) {}
  }

  /// Returns the address of the element with a key, or `nil`. The address is valid while the table
  /// is neither changed nor released.
  @inlinable
  package func elementAddress(of key: Key) -> UnsafePointer<Element>? {
    pointer(to: key)
  }

  /// Returns the address of the element with a key, with its position as `order`, or `nil`. The
  /// address is valid while the table is neither changed nor released.
  /// - Complexity: O(log *n*) expected.
  @inlinable
  package func address(of key: Key) -> (element: UnsafePointer<Element>, order: Int)? {
    guard let element = pointer(to: key), let position = position(of: key) else { return nil }
    return (element, position)
  }
}

extension PersistentOrderedTable {
  /// Calls the closure with each element of this version whose leaf is not shared with `other`. An
  /// element may still be equal in both versions.
  /// - Complexity: O(changes · log *n*) between versions of one history.
  package func visitUnshared(with other: Self, _ body: (Element) -> Void) {
    if leaves.root === other.leaves.root { return }
    guard isTree, other.isTree else {
      for element in self { body(element) }
      return
    }
    for difference in leaves.differences(from: other.leaves) where difference.new != nil {
      let leaf = leaves[difference.number]
      for offset in 0..<leaf.count { body(leaf.elements[offset]) }
    }
    withExtendedLifetime((self, other)) {}
  }
}
