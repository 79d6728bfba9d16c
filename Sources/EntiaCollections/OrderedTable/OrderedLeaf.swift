/// The header of a leaf of an ordered table.
@frozen
@usableFromInline
struct OrderedLeafHeader {
  /// The number of elements.
  @usableFromInline var count: UInt16
  /// The number of elements for which there is room.
  @usableFromInline var room: UInt16
  /// The number of the branch above; meaningless in a table of one leaf.
  @usableFromInline var parent: Int32

  @inlinable
  init(room: Int) {
    count = 0
    self.room = UInt16(truncatingIfNeeded: room)
    parent = 0
  }
}

/// Elements in order, after the hash tags of their keys.
@usableFromInline
final class OrderedLeaf<Element>: ManagedBuffer<OrderedLeafHeader, Element> {
  @inlinable
  deinit {
    let leaf = borrowed(self)
    let count = OrderedLeaves<Element>.count(leaf)
    OrderedLeaves<Element>.elements(leaf).deinitialize(count: count)
  }
}

/// The operations on leaves of one element type.
///
/// The tags are stored first, in one or two cache lines with the header. A lookup scans them and
/// then reads only the matching element. They are the same tags as in the index, so that moving
/// elements between leaves hashes nothing.
@usableFromInline
enum OrderedLeaves<Element>: NumberedContent {
  /// The maximum number of elements in a leaf. It is derived from a size of about 1 KB, so that a
  /// leaf stays within the allocator's fast size classes and copying one for a single change stays
  /// cheap. It is at most 32, so that the room for the tags does not make a small table large.
  @inlinable
  @inline(__always)
  static var capacity: Int {
    let fitting = 992 / (MemoryLayout<Element>.stride &+ MemoryLayout<UInt32>.stride)
    // A multiple of four, as tags are compared four at a time.
    return min(max(fitting, 4), 32) & ~3
  }

  /// Returns the new room for a table's only leaf, which is full.
  @inlinable
  static func grown(_ count: Int) -> Int { min(count &+ max(4, count / 2), capacity) }

  @inlinable
  @inline(__always)
  static func header(_ leaf: NodePointer) -> UnsafeMutablePointer<OrderedLeafHeader> {
    Unmanaged<OrderedLeaf<Element>>.fromOpaque(leaf)._withUnsafeGuaranteedRef {
      $0.withUnsafeMutablePointerToHeader { $0 }
    }
  }

  @inlinable
  @inline(__always)
  static func count(_ leaf: NodePointer) -> Int {
    Int(truncatingIfNeeded: header(leaf).pointee.count)
  }

  /// Returns the tags, in the bytes directly after the header.
  @inlinable
  @inline(__always)
  static func tags(_ leaf: NodePointer) -> UnsafeMutablePointer<UInt32> {
    UnsafeMutableRawPointer(header(leaf) + 1).assumingMemoryBound(to: UInt32.self)
  }

  /// Returns the elements. They follow room for the tags of a full leaf, so that computing their
  /// address reads nothing.
  @inlinable
  @inline(__always)
  static func elements(_ leaf: NodePointer) -> UnsafeMutablePointer<Element> {
    UnsafeMutableRawPointer(tags(leaf) + capacity).alignedUp(for: Element.self)
      .assumingMemoryBound(to: Element.self)
  }

  @inlinable
  @inline(never)
  static func make(room: Int) -> NodePointer {
    let tagBytes = capacity &* MemoryLayout<UInt32>.stride &+ MemoryLayout<Element>.alignment
    let stride = MemoryLayout<Element>.stride
    let slots = room &+ (tagBytes &+ stride &- 1) / stride
    let leaf = owned(
      unsafeDowncast(
        OrderedLeaf<Element>.create(minimumCapacity: slots) { _ in OrderedLeafHeader(room: room) },
        to: OrderedLeaf<Element>.self))
    tags(leaf).initialize(repeating: 0, count: capacity)
    return leaf
  }

  @inlinable
  @inline(never)
  static func copy(_ leaf: NodePointer) -> NodePointer {
    TableWork.note(.nodeCopied)
    return copy(leaf, room: Int(truncatingIfNeeded: header(leaf).pointee.room))
  }

  @inlinable
  static func copy(_ leaf: NodePointer, room: Int) -> NodePointer {
    let result = make(room: room)
    let count = count(leaf)
    header(result).pointee.count = header(leaf).pointee.count
    header(result).pointee.parent = header(leaf).pointee.parent
    tags(result).initialize(from: tags(leaf), count: count)
    elements(result).initialize(from: elements(leaf), count: count)
    return result
  }

  /// Inserts an element into a leaf that has room.
  @inlinable
  @inline(__always)
  static func insert(_ element: Element, tag: UInt32, at offset: Int, into leaf: NodePointer) {
    let count = count(leaf)
    let tags = tags(leaf)
    let elements = elements(leaf)
    if offset < count {
      (tags + (offset &+ 1)).update(from: tags + offset, count: count &- offset)
      (elements + (offset &+ 1)).moveInitialize(from: elements + offset, count: count &- offset)
    }
    tags[offset] = tag
    (elements + offset).initialize(to: element)
    header(leaf).pointee.count &+= 1
  }

  /// Closes the gap of an element that was moved out.
  @inlinable
  @inline(__always)
  static func close(at offset: Int, in leaf: NodePointer) {
    let rest = count(leaf) &- offset &- 1
    let tags = tags(leaf)
    let elements = elements(leaf)
    if rest > 0 {
      (tags + offset).update(from: tags + (offset &+ 1), count: rest)
      (elements + offset).moveInitialize(from: elements + (offset &+ 1), count: rest)
    }
    header(leaf).pointee.count &-= 1
  }

  /// Removes the elements at some offsets.
  @inlinable
  static func removeSubrange(_ range: Range<Int>, from leaf: NodePointer) {
    let rest = count(leaf) &- range.upperBound
    let tags = tags(leaf)
    let elements = elements(leaf)
    (elements + range.lowerBound).deinitialize(count: range.count)
    (tags + range.lowerBound).update(from: tags + range.upperBound, count: rest)
    (elements + range.lowerBound).moveInitialize(from: elements + range.upperBound, count: rest)
    header(leaf).pointee.count &-= UInt16(truncatingIfNeeded: range.count)
  }

  /// Moves the elements from an offset on to the end of another leaf.
  @inlinable
  static func moveTail(of leaf: NodePointer, from offset: Int, to other: NodePointer) {
    let moved = count(leaf) &- offset
    let target = count(other)
    (tags(other) + target).update(from: tags(leaf) + offset, count: moved)
    (elements(other) + target).moveInitialize(from: elements(leaf) + offset, count: moved)
    header(leaf).pointee.count &-= UInt16(truncatingIfNeeded: moved)
    header(other).pointee.count &+= UInt16(truncatingIfNeeded: moved)
  }

  /// Returns the offset of the element with a key, or -1.
  @inlinable
  @inline(__always)
  static func offset<Layout: KeyedElements>(
    of key: Layout.Key, tag: UInt32, in leaf: NodePointer, _ layout: Layout.Type
  ) -> Int where Layout.Element == Element {
    let count = count(leaf)
    let tags = tags(leaf)
    // Without conditional jumps, and over the capacity of a full leaf so that the count is
    // constant. The loop is therefore compiled to a few vector comparisons. The upper half of the
    // sum is the number of matching tags. If it is one, the lower half is the offset of the match.
    // A tag after the last element may match, too.
    var sum: Int32 = 0
    var candidate: Int32 = 0
    while candidate < Int32(truncatingIfNeeded: capacity) {
      let difference = Int32(
        truncatingIfNeeded: tags[Int(truncatingIfNeeded: candidate)] ^ tag)
      sum &+= ~((difference | (0 &- difference)) &>> 31) & (candidate | 0x1_0000)
      candidate &+= 1
    }
    let elements = elements(leaf)
    if sum &>> 16 == 1 {
      let offset = Int(truncatingIfNeeded: sum & 0xFFFF)
      return offset < count && Layout.key(of: elements[offset]) == key ? offset : -1
    }
    if sum == 0 { return -1 }
    for offset in 0..<count where tags[offset] == tag {
      if Layout.key(of: elements[offset]) == key { return offset }
    }
    return -1
  }
}
