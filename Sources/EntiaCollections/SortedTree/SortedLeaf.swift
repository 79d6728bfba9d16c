/// What a leaf says of itself.
@frozen
@usableFromInline
struct SortedLeafHeader {
  @usableFromInline var count: UInt32
  /// How many elements there is room for.
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
  /// The elements of a full leaf: sized by bytes, so that a leaf stays within the allocator's fast
  /// classes and copying one for a single change stays cheap.
  @inlinable
  @inline(__always)
  static var capacity: Int {
    max(4, SortedNodes<Element>.byteBudget / MemoryLayout<Element>.stride)
  }

  /// How many elements every leaf but the last has at least.
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

  /// Has the processor fetch a leaf's elements side by side, where a search or a walk would wait for
  /// one cache line after the other. Returns `true`; a caller that could do without the answer would
  /// lose the loads to the optimizer.
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
  /// The call that is not inlined gives the object and not its address: the optimizer takes a call
  /// that gives an address for one without effects, and has one node do for every turn of a loop.
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

  /// Moves the elements of a leaf that nobody else holds into one of another capacity.
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
