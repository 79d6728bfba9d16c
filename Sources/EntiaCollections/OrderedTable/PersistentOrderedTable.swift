/// A persistent table in an order that its user decides: elements are found by key or by position,
/// inserted, moved and removed anywhere in logarithmic time, and a copy costs nothing.
///
/// Elements lie in order in leaves of about 1 KB. A leaf has a number that it keeps when it is
/// copied. An order tree of plain numbers leads from positions to leaves, the leaves' and branches'
/// parent numbers lead back, and a hash index leads from keys to leaves. A small table is one leaf.
///
/// A copy shares everything; changing one copies only the paths to what is changed, and nothing at
/// all while the storage is not shared.
@frozen
public struct PersistentOrderedTable<Layout: KeyedElements> {
  /// The type of the keys.
  public typealias Key = Layout.Key
  /// The type of the elements.
  public typealias Element = Layout.Element

  @usableFromInline typealias Leaves = OrderedLeaves<Layout.Element>

  @usableFromInline var leaves: NumberedNodes<OrderedLeaves<Layout.Element>>
  @usableFromInline var liveCount: Int32
  /// Empty while there is at most one leaf; the root is number 0.
  @usableFromInline var branches: NumberedNodes<OrderedBranches>
  /// From the tags of keys to the numbers of leaves; empty while there is at most one leaf.
  @usableFromInline var index: SlotIndex

  /// Creates an empty table.
  /// - Complexity: O(1); nothing is allocated.
  @inlinable
  public init() {
    leaves = NumberedNodes()
    liveCount = 0
    branches = NumberedNodes()
    index = SlotIndex()
  }

  /// How many elements there are.
  /// - Complexity: O(1).
  @inlinable
  public var count: Int { Int(liveCount) }

  /// Whether there are no elements.
  /// - Complexity: O(1).
  @inlinable
  public var isEmpty: Bool { liveCount == 0 }

  /// Whether a tree of leaves stands under the table, rather than one leaf or none.
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

  /// The element at a position; what is changed through it must keep its key.
  /// - Precondition: the position is at least 0 and less than `count`.
  /// - Complexity: O(log *n*); for a change, what an older version shares is copied, O(log *n*).
  @inlinable
  public subscript(position position: Int) -> Element {
    @inline(__always)
    get {
      checkElement(at: position)
      let place = place(at: position)
      return Leaves.elements(leaves[place.leaf])[place.offset]
    }
    @inline(__always)
    _modify {
      checkElement(at: position)
      let place = place(at: position)
      yield &Leaves.elements(leaves.unique(place.leaf))[place.offset]
    }
  }

  /// Whether there is an element with a key.
  /// - Complexity: O(1) expected.
  @inlinable
  @inline(__always)
  public func contains(_ key: Key) -> Bool { pointer(to: key) != nil }

  /// The position of the element with a key, or `nil`.
  /// - Complexity: O(log *n*) expected.
  @inlinable
  public func position(of key: Key) -> Int? {
    guard let place = place(of: key, tag: Self.tag(of: key)) else { return nil }
    return start(ofLeaf: place.leaf) &+ place.offset
  }

  /// Whether two tables are the same version, sharing everything; `true` means surely equal.
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

// Nodes are changed only while uniquely referenced, so that sharing them between threads is sound.
extension PersistentOrderedTable: @unchecked Sendable where Layout.Element: Sendable {}
