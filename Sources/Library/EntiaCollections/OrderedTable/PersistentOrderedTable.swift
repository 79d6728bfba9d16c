/// A persistent table in a user-defined order. Elements are accessed by key or by position, and
/// inserted, moved and removed anywhere in logarithmic time. A copy costs nothing.
///
/// Elements are stored in order in leaves of about 1 KB. A leaf has a number that it keeps when it
/// is copied. An order tree of plain numbers maps positions to leaves, the parent numbers of leaves
/// and branches map leaves to positions, and a hash index maps keys to leaves. A small table is one
/// leaf.
///
/// A copy shares everything. A change copies only the paths to what it changes, and nothing if the
/// storage is not shared.
@frozen
public struct PersistentOrderedTable<Layout: KeyedElements> {
  /// The type of the keys.
  public typealias Key = Layout.Key
  /// The type of the elements.
  public typealias Element = Layout.Element

  @usableFromInline typealias Leaf = OrderedLeafHandle<Layout.Element>
  @usableFromInline typealias Branch = NodeRef<OrderedBranch>

  @usableFromInline var leaves: NodeArena<OrderedLeaf<Layout.Element>>
  @usableFromInline var liveCount: Int32
  /// Half of the process's seed of hashes. It is stored here because reading the global constant is
  /// a call, and only half of it because an empty table stays small with it. The lowest bit is
  /// `ownerFlag`.
  @usableFromInline var halfSeedAndFlag: UInt32
  /// The order tree, whose root is number 0. It is empty while there is at most one leaf.
  @usableFromInline var branches: NodeArena<OrderedBranch>
  /// The index from the tags of keys to the numbers of leaves, with hints of the offsets in them.
  /// It is empty while there is at most one leaf.
  @usableFromInline var index: SlotIndex
  /// Creates an empty table.
  /// - Complexity: O(1); nothing is allocated.
  @inlinable
  public init() {
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
  public var count: Int { Int(liveCount) }

  /// Whether there are no elements.
  /// - Complexity: O(1).
  @inlinable
  public var isEmpty: Bool { liveCount == 0 }

  /// Whether the table has an order tree, rather than one leaf or none.
  @inlinable
  @inline(__always)
  var isTree: Bool { branches.root != nil }

  /// The element with a key, or `nil`.
  /// - Complexity: O(1) expected.
  @inlinable
  public subscript(key: Key) -> Element? {
    @inline(__always)
    get { pointer(to: key)?.pointee }
  }

  /// The element at a position. A change in place must keep its key.
  /// - Precondition: The position is at least 0 and less than `count`.
  /// - Complexity: O(log *n*), including the copy of what an older version shares if the element is
  ///   changed.
  @inlinable
  public subscript(position position: Int) -> Element {
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
  public func contains(_ key: Key) -> Bool { pointer(to: key) != nil }

  /// Returns the position of the element with a key, or `nil`.
  /// - Complexity: O(log *n*) expected.
  @inlinable
  public func position(of key: Key) -> Int? {
    guard let place = place(of: key, tag: tag(of: key)) else { return nil }
    return start(ofLeaf: place.leaf) &+ place.offset
  }

  /// Whether two tables are the same version and share all storage. If `true`, they are equal.
  /// - Complexity: O(1).
  @inlinable
  public func isIdentical(to other: Self) -> Bool {
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
