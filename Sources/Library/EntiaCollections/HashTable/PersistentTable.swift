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
public struct PersistentTable<Layout: KeyedElements> {
  /// The type of the keys.
  public typealias Key = Layout.Key
  /// The type of the elements.
  public typealias Element = Layout.Element

  @usableFromInline typealias TreeNode = NodeRef<PageTreeNode>
  @usableFromInline typealias Page = PageHandle<Layout.Element>
  @usableFromInline typealias Chunk = NodeRef<IndexChunk>

  /// Keeps the nodes alive that `top` refers to.
  @usableFromInline var root: PageTreeNode?
  /// The root's address. Code that reads a table in memory that it does not own, such as a view,
  /// copies this word rather than a reference.
  @usableFromInline var top: TreeNode?
  @usableFromInline var index: SlotIndex
  /// The number of levels of nodes of the page tree above the lowest.
  @usableFromInline var levels: UInt8
  /// Log2 of the minimum number of slots in the first page, which grows with a small table.
  @usableFromInline var firstPageShift: UInt8
  @usableFromInline var storedNextSlot: UInt32
  @usableFromInline var storedLiveCount: UInt32

  /// While the table is being compacted, all slots from here to `gapEndSlot` are dead.
  @usableFromInline var gapStartSlot: UInt32
  /// The end of the gap; `UInt32.max` while the table is not being compacted.
  @usableFromInline var gapEndSlot: UInt32

  /// The process's seed of hashes, stored here because reading the global constant is a call.
  @usableFromInline let seed: UInt64

  /// Creates an empty table.
  /// - Complexity: O(1); nothing is allocated.
  @inlinable
  public init() {
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
  public var count: Int { liveCount }

  /// Whether there are no elements.
  /// - Complexity: O(1).
  @inlinable
  public var isEmpty: Bool { count == 0 }

  /// The element with a key, or `nil`.
  /// - Complexity: O(1) expected.
  @inlinable
  public subscript(key: Key) -> Element? {
    @inline(__always)
    get { pointer(to: key)?.pointee }
  }

  /// Whether there is an element with a key.
  /// - Complexity: O(1) expected.
  @inlinable
  @inline(__always)
  public func contains(_ key: Key) -> Bool { slot(of: key) >= 0 }

  /// Whether two tables are the same version and share all storage. If `true`, they are equal.
  /// - Complexity: O(1).
  @inlinable
  public func isIdentical(to other: Self) -> Bool {
    root === other.root && index.root === other.index.root && count == other.count
  }
}

// Nodes are changed only while uniquely referenced, so sharing them between threads is safe.
extension PersistentTable: @unchecked Sendable where Layout.Element: Sendable {}
