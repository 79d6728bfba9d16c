/// A persistent hash table: a value with O(1) copies that reads like a dictionary and iterates like
/// an array.
///
/// Elements lie in pages addressed by slot number, in insertion order, under a wide tree; a separate
/// index leads from hashes to slots. A copy shares everything; changing one copies only the path to
/// what is changed, and nothing at all while the storage is not shared.
///
/// - Iteration follows insertion order. A replaced element keeps its place; a removed and
///   re-inserted one goes last.
/// - Equality and differences skip what two versions share.
@frozen
public struct PersistentTable<Layout: KeyedElements> {
  /// The type of the keys.
  public typealias Key = Layout.Key
  /// The type of the elements.
  public typealias Element = Layout.Element

  @usableFromInline var root: Spine?
  @usableFromInline var index: SlotIndex
  /// How many levels of spine nodes stand above the lowest.
  @usableFromInline var levels: UInt8
  /// Log2 of the slots that the first page has at least; it grows with a small table.
  @usableFromInline var firstPageShift: UInt8
  /// The slot that the next new element takes.
  @usableFromInline var nextSlot: Int

  @usableFromInline var liveCount: Int

  /// While the table is being compacted, all slots from here to `gapEnd` are dead.
  @usableFromInline var gapStart: Int
  /// The end of the gap; -1 while the table is not being compacted.
  @usableFromInline var gapEnd: Int

  /// Creates an empty table.
  /// - Complexity: O(1); nothing is allocated.
  @inlinable
  public init() {
    root = nil
    index = SlotIndex()
    levels = 0
    firstPageShift = 0
    nextSlot = 0
    liveCount = 0
    gapStart = 0
    gapEnd = -1
  }

  @inlinable
  @inline(__always)
  var height: Int { Int(truncatingIfNeeded: levels) }

  /// How many elements there are.
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

  /// Whether two tables are the same version, sharing everything; `true` means surely equal.
  /// - Complexity: O(1).
  @inlinable
  public func isIdentical(to other: Self) -> Bool {
    root === other.root && index.root === other.index.root && count == other.count
  }
}

// Nodes are changed only while uniquely referenced, so that sharing them between threads is sound.
extension PersistentTable: @unchecked Sendable where Layout.Element: Sendable {}
