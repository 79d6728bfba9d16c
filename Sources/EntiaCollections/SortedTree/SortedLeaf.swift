/// The header of a leaf.
@frozen
@usableFromInline
struct SortedLeafHeader {
  @usableFromInline var count: UInt32
  /// The number of elements for which there is room.
  @usableFromInline var capacity: UInt32

  @inlinable
  init(count: UInt32, capacity: UInt32) {
    self.count = count
    self.capacity = capacity
  }
}

/// A run of elements in order. A leaf inside a tree is never empty.
@usableFromInline
final class SortedLeaf<Element>: ManagedBuffer<SortedLeafHeader, Element> {
  @inlinable
  deinit {
    let count = Int(truncatingIfNeeded: header.count)
    withUnsafeMutablePointerToElements { elements in
      _ = elements.deinitialize(count: count)
    }
  }
}

/// The operations on leaves of one element type.
@usableFromInline
enum SortedLeaves<Element> {
  /// The number of elements in a full leaf. Leaves are sized by bytes, so that a leaf stays within
  /// the allocator's fast size classes and copying one for a single change stays cheap.
  @inlinable
  @inline(__always)
  static var capacity: Int {
    max(4, SortedNodes<Element>.byteBudget / MemoryLayout<Element>.stride)
  }

  /// The minimum number of elements in every leaf except the last.
  @inlinable
  @inline(__always)
  static var minimum: Int { capacity &* 3 / 8 }

  @inlinable
  @inline(__always)
  static func header(_ leaf: NodePointer) -> UnsafeMutablePointer<SortedLeafHeader> {
    Unmanaged<SortedLeaf<Element>>.fromOpaque(leaf)._withUnsafeGuaranteedRef {
      $0.withUnsafeMutablePointerToHeader { $0 }
    }
  }

  @inlinable
  @inline(__always)
  static func elements(_ leaf: NodePointer) -> UnsafeMutablePointer<Element> {
    Unmanaged<SortedLeaf<Element>>.fromOpaque(leaf)._withUnsafeGuaranteedRef {
      $0.withUnsafeMutablePointerToElements { $0 }
    }
  }

  @inlinable
  @inline(__always)
  static func count(_ leaf: NodePointer) -> Int {
    Int(truncatingIfNeeded: header(leaf).pointee.count)
  }

  @inlinable
  @inline(__always)
  static func setCount(_ leaf: NodePointer, _ count: Int) {
    header(leaf).pointee.count = UInt32(truncatingIfNeeded: count)
  }

  /// Prefetches a leaf's elements in parallel; a search or an iteration would wait for one cache
  /// line after another. It returns `true`, and the caller must use the result. Otherwise the
  /// optimizer would remove the loads.
  @inlinable
  @inline(__always)
  static func fetch(_ leaf: NodePointer, count: Int) -> Bool {
    // Objects do not begin with 0.
    var bits = leaf.load(as: UInt.self)
    var offset = 64
    while offset < count &* MemoryLayout<Element>.stride {
      bits |= leaf.load(fromByteOffset: offset, as: UInt.self)
      offset &+= 64
    }
    return bits != 0
  }

  /// Returns a new, empty leaf.
  ///
  /// The call that is not inlined returns the object and not its address. The optimizer considers a
  /// call that returns an address free of effects, and would use one node for every iteration of a
  /// loop.
  @inlinable
  @inline(__always)
  static func make(capacity: Int = Self.capacity) -> NodePointer { owned(allocate(capacity)) }

  @inlinable
  @inline(never)
  static func allocate(_ capacity: Int) -> SortedLeaf<Element> {
    unsafeDowncast(
      SortedLeaf<Element>.create(minimumCapacity: capacity) { _ in
        SortedLeafHeader(count: 0, capacity: UInt32(truncatingIfNeeded: capacity))
      }, to: SortedLeaf<Element>.self)
  }

  /// Copies a leaf into one of the same capacity.
  @inlinable
  @inline(__always)
  static func copy(_ leaf: NodePointer) -> NodePointer {
    TableWork.note(.nodeCopied)
    return owned(duplicate(leaf))
  }

  @inlinable
  @inline(never)
  static func duplicate(_ leaf: NodePointer) -> SortedLeaf<Element> {
    let header = header(leaf).pointee
    let object = allocate(Int(truncatingIfNeeded: header.capacity))
    let result = borrowed(object)
    let count = Int(truncatingIfNeeded: header.count)
    elements(result).initialize(from: elements(leaf), count: count)
    setCount(result, count)
    return object
  }

  /// Moves the elements of a uniquely referenced leaf into one of another capacity.
  @inlinable
  @inline(never)
  static func resize(_ leaf: NodePointer, capacity: Int) -> NodePointer {
    let result = make(capacity: capacity)
    let count = count(leaf)
    elements(result).moveInitialize(from: elements(leaf), count: count)
    setCount(result, count)
    setCount(leaf, 0)
    releaseNode(leaf)
    return result
  }
}
