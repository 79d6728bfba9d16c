/// The header of a leaf.
@frozen
@usableFromInline
struct SortedLeafHeader {
  /// The number of bytes for the elements in a leaf. With the object's own words, this is within
  /// the fast size classes of the supported allocators.
  @inlinable
  @inline(__always)
  static var byteBudget: Int { 1_000 }

  @usableFromInline var count: UInt32
  /// The number of elements for which there is room.
  @usableFromInline var capacity: UInt32

  @inlinable
  init(capacity: Int) {
    count = 0
    self.capacity = UInt32(truncatingIfNeeded: capacity)
  }
}

/// A run of elements in order. A leaf inside a tree is never empty.
@usableFromInline
final class SortedLeaf<Element>: ManagedBuffer<SortedLeafHeader, Element>, SortedLeafKind {
  @inlinable
  deinit {
    let count = Int(truncatingIfNeeded: header.count)
    withUnsafeMutablePointerToElements { elements in
      _ = elements.deinitialize(count: count)
    }
  }
}

extension SortedLeaf: CopyableNodeKind {
  /// Returns a copy of the same capacity.
  @inlinable
  @inline(never)
  static func duplicate(_ leaf: NodeRef<SortedLeaf>) -> SortedLeaf {
    let header = leaf.header.pointee
    let object = NodeRef<SortedLeaf>.allocate(capacity: Int(header.capacity), header: header)
    NodeRef(borrowing: object).mutableElements
      .initialize(from: leaf.elements, count: Int(header.count))
    return object
  }
}

/// The constraint that the class `SortedLeaf<Element>` satisfies for every `Element`.
@usableFromInline
protocol SortedLeafKind: NodeKind where Header == SortedLeafHeader {}

@usableFromInline typealias SortedLeafHandle<Element> = NodeRef<SortedLeaf<Element>>

extension NodeRef where Kind: SortedLeafKind {
  /// The number of elements in a full leaf. Leaves are sized by bytes, so that a leaf stays within
  /// the allocator's fast size classes and copying one for a single change stays cheap.
  @inlinable
  @inline(__always)
  static var capacity: Int {
    max(4, SortedLeafHeader.byteBudget / MemoryLayout<Kind.Element>.stride)
  }

  /// The minimum number of elements in every leaf except the last.
  @inlinable
  @inline(__always)
  static var minimum: Int { capacity &* 3 / 8 }

  @inlinable
  @inline(__always)
  var count: Int { Int(truncatingIfNeeded: header.pointee.count) }

  @inlinable
  @inline(__always)
  func setCount(_ count: Int) {
    mutableHeader.pointee.count = UInt32(truncatingIfNeeded: count)
  }

  /// Creates a leaf without elements.
  @inlinable
  @inline(__always)
  static func make(capacity: Int = Self.capacity) -> Self {
    make(capacity: capacity, header: SortedLeafHeader(capacity: capacity))
  }

  /// Moves the elements of a unique leaf to a new leaf with another capacity, and returns the new
  /// leaf.
  @inlinable
  @inline(__always)
  func resized(to capacity: Int) -> Self {
    let result = Self.make(capacity: capacity)
    result.mutableElements.moveInitialize(from: mutableElements, count: count)
    result.setCount(count)
    setCount(0)
    release()
    return result
  }

  /// Prefetches a leaf's elements in parallel, because a search or an iteration would wait for one
  /// cache line after another. It returns `true`, and the caller must use the result. Otherwise the
  /// optimizer would remove the loads.
  @inlinable
  @inline(__always)
  func prefetch(count: Int) -> Bool {
    var bits = firstWord
    var offset = 64
    while offset < count &* MemoryLayout<Kind.Element>.stride {
      bits |= address.load(fromByteOffset: offset, as: UInt.self)
      offset &+= 64
    }
    return bits != 0
  }
}
