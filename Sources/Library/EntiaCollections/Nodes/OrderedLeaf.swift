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
///
/// The tags are stored first, in one or two cache lines with the header. A lookup without a hint of
/// the offset scans them and then reads only the matching element. They are the same tags as in the
/// index, so that moving elements between leaves hashes nothing.
@usableFromInline
final class OrderedLeaf<Element>: ManagedBuffer<OrderedLeafHeader, Element>, OrderedLeafKind {
  @inlinable
  deinit {
    let leaf = NodeRef(borrowing: self)
    UnsafeMutablePointer(mutating: leaf.elements).deinitialize(count: leaf.count)
  }
}

extension OrderedLeaf: CopyableNodeKind {
  @inlinable
  @inline(never)
  static func duplicate(_ leaf: NodeRef<OrderedLeaf>) -> OrderedLeaf {
    let header = leaf.header.pointee
    let object = OrderedLeafHandle<Element>.allocate(
      capacity: OrderedLeafHandle<Element>.slots(room: Int(header.room)), header: header)
    let result = NodeRef(borrowing: object)
    result.mutableTags.initialize(from: leaf.tags, count: OrderedLeafHandle<Element>.capacity)
    result.mutableElements.initialize(from: leaf.elements, count: leaf.count)
    return object
  }
}

/// The constraint that the class `OrderedLeaf<Element>` satisfies for every `Element`.
@usableFromInline
protocol OrderedLeafKind: NodeKind where Header == OrderedLeafHeader {}

@usableFromInline typealias OrderedLeafHandle<Element> = NodeRef<OrderedLeaf<Element>>

extension NodeRef where Kind: OrderedLeafKind {
  /// The maximum number of elements in a leaf. It is derived from a size of about 1 KB, so that a
  /// leaf stays within the allocator's fast size classes and copying one for a single change stays
  /// cheap. It is at most 32, so that the room for the tags does not make a small table large.
  @inlinable
  @inline(__always)
  static var capacity: Int {
    let fitting = 992 / (MemoryLayout<Kind.Element>.stride &+ MemoryLayout<UInt32>.stride)
    // A multiple of four, as tags are compared four at a time.
    return min(max(fitting, 4), 32) & ~3
  }

  /// Returns the capacity to allocate for a leaf, as a number of elements. It includes the space of
  /// the tags.
  @inlinable
  @inline(__always)
  static func slots(room: Int) -> Int {
    let stride = MemoryLayout<Kind.Element>.stride
    let tagBytes = capacity &* MemoryLayout<UInt32>.stride &+ MemoryLayout<Kind.Element>.alignment
    return room &+ (tagBytes &+ stride &- 1) / stride
  }

  /// Creates a leaf without elements.
  @inlinable
  @inline(__always)
  static func make(room: Int) -> Self {
    let leaf = make(capacity: slots(room: room), header: OrderedLeafHeader(room: room))
    leaf.mutableTags.initialize(repeating: 0, count: capacity)
    return leaf
  }

  /// Returns the number of elements for which a table's only leaf has room after it grows. `count`
  /// is the number of elements of the full leaf.
  @inlinable
  static func grown(_ count: Int) -> Int { min(count &+ max(4, count / 2), capacity) }

  @inlinable
  @inline(__always)
  var count: Int { Int(truncatingIfNeeded: header.pointee.count) }

  @inlinable
  @inline(__always)
  var parent: Int { Int(truncatingIfNeeded: header.pointee.parent) }

  /// The tags, in the bytes directly after the header.
  @inlinable
  @inline(__always)
  var tags: UnsafePointer<UInt32> {
    UnsafeRawPointer(header + 1).assumingMemoryBound(to: UInt32.self)
  }

  /// The elements, which follow the tags in the tail allocation of the object. Every leaf has room
  /// for `capacity` tags, so that the address of the elements is computed without reading the leaf.
  @inlinable
  @inline(__always)
  var elements: UnsafePointer<Kind.Element> {
    UnsafeRawPointer(tags + Self.capacity).alignedUp(for: Kind.Element.self)
      .assumingMemoryBound(to: Kind.Element.self)
  }

  /// The elements of a unique leaf, for changing them.
  @inlinable
  @inline(__always)
  var mutableElements: UnsafeMutablePointer<Kind.Element> {
    checkUnique()
    return UnsafeMutablePointer(mutating: elements)
  }

  /// The tags of a unique leaf, for changing them.
  @inlinable
  @inline(__always)
  var mutableTags: UnsafeMutablePointer<UInt32> {
    checkUnique()
    return UnsafeMutablePointer(mutating: tags)
  }

  /// Inserts an element into a leaf that has room.
  @inlinable
  @inline(__always)
  func insert(_ element: Kind.Element, tag: UInt32, at offset: Int) {
    let count = count
    let tags = mutableTags
    let elements = mutableElements
    if offset < count {
      (tags + (offset &+ 1)).update(from: tags + offset, count: count &- offset)
      (elements + (offset &+ 1)).moveInitialize(from: elements + offset, count: count &- offset)
    }
    tags[offset] = tag
    (elements + offset).initialize(to: element)
    mutableHeader.pointee.count &+= 1
  }

  /// Closes the gap of an element that was moved out.
  @inlinable
  @inline(__always)
  func close(at offset: Int) {
    let rest = count &- offset &- 1
    let tags = mutableTags
    let elements = mutableElements
    if rest > 0 {
      (tags + offset).update(from: tags + (offset &+ 1), count: rest)
      (elements + offset).moveInitialize(from: elements + (offset &+ 1), count: rest)
    }
    mutableHeader.pointee.count &-= 1
  }

  /// Removes the elements at some offsets.
  @inlinable
  func removeSubrange(_ range: Range<Int>) {
    let rest = count &- range.upperBound
    let tags = mutableTags
    let elements = mutableElements
    (elements + range.lowerBound).deinitialize(count: range.count)
    (tags + range.lowerBound).update(from: tags + range.upperBound, count: rest)
    (elements + range.lowerBound).moveInitialize(from: elements + range.upperBound, count: rest)
    mutableHeader.pointee.count &-= UInt16(truncatingIfNeeded: range.count)
  }

  /// Moves the last elements, from an offset on, to the end of another unique leaf.
  @inlinable
  func moveTail(from offset: Int, to other: Self) {
    let moved = count &- offset
    let target = other.count
    (other.mutableTags + target).update(from: tags + offset, count: moved)
    (other.mutableElements + target).moveInitialize(from: mutableElements + offset, count: moved)
    mutableHeader.pointee.count &-= UInt16(truncatingIfNeeded: moved)
    other.mutableHeader.pointee.count &+= UInt16(truncatingIfNeeded: moved)
  }

  /// Returns the offset of the element with a key, or -1.
  @inlinable
  @inline(__always)
  func offset<Layout: KeyedElements>(
    of key: Layout.Key, tag: UInt32, _ layout: Layout.Type
  ) -> Int where Layout.Element == Kind.Element {
    let count = count
    let tags = tags
    // The loop has no conditional jumps, and always compares `capacity` tags. It is therefore
    // compiled to a few vector comparisons. The upper half of `sum` is the number of matching tags.
    // For a single match, the lower half of `sum` is the offset of the match. The match may be
    // after the last element.
    var sum: Int32 = 0
    var candidate: Int32 = 0
    while candidate < Int32(truncatingIfNeeded: Self.capacity) {
      let difference = Int32(
        truncatingIfNeeded: tags[Int(truncatingIfNeeded: candidate)] ^ tag)
      sum &+= ~((difference | (0 &- difference)) &>> 31) & (candidate | 0x1_0000)
      candidate &+= 1
    }
    let elements = elements
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
