/// The header of a branch of an ordered table.
@frozen
@usableFromInline
struct OrderedBranchHeader {
  /// The number of children.
  @usableFromInline var count: Int32
  /// The number of the branch above; the root is its own parent.
  @usableFromInline var parent: Int32
  /// The number of levels of branches below.
  @usableFromInline var level: Int32
  /// The position at which the regular prefix of the table ends (see `regularPlace(of:)`).
  /// `regularLength` is the number of elements in each leaf of the prefix. Both are used only in
  /// the root.
  @usableFromInline var regularEnd: Int32
  @usableFromInline var regularLength: UInt32

  @inlinable
  init(parent: Int, level: Int32) {
    count = 0
    self.parent = Int32(truncatingIfNeeded: parent)
    self.level = level
    regularEnd = 0
    regularLength = 1
  }
}

/// A node of the order tree. It stores plain numbers: the end of each child's elements, and the
/// number of each child.
@usableFromInline
final class OrderedBranch: ManagedBuffer<OrderedBranchHeader, Int32>, CopyableNodeKind {
  @usableFromInline typealias Header = OrderedBranchHeader
  @usableFromInline typealias Element = Int32

  @inlinable
  @inline(never)
  static func duplicate(_ branch: NodeRef<OrderedBranch>) -> OrderedBranch {
    let words = 2 &* NodeRef<OrderedBranch>.fanOut
    let result = NodeRef<OrderedBranch>.allocate(capacity: words, header: branch.header.pointee)
    NodeRef(borrowing: result).mutableElements.initialize(from: branch.elements, count: words)
    return result
  }
}

extension NodeRef where Kind == OrderedBranch {
  @inlinable
  @inline(__always)
  static var fanOut: Int { 64 }

  @inlinable
  @inline(__always)
  var count: Int { Int(truncatingIfNeeded: header.pointee.count) }

  @inlinable
  @inline(__always)
  var parent: Int { Int(truncatingIfNeeded: header.pointee.parent) }

  @inlinable
  @inline(__always)
  var level: Int32 { header.pointee.level }

  /// For each child, the number of elements up to and including it. At an index without a child,
  /// the value is the greatest integer, so that a search need not read the count.
  @inlinable
  @inline(__always)
  var ends: UnsafePointer<Int32> { elements }

  /// Returns the number of the child at an index, or -1.
  @inlinable
  @inline(__always)
  func child(_ index: Int) -> Int { Int(truncatingIfNeeded: (elements + Self.fanOut)[index]) }

  /// Creates a branch without children.
  @inlinable
  @inline(__always)
  static func make(level: Int32, parent: Int) -> Self {
    let branch = make(
      capacity: 2 &* fanOut, header: OrderedBranchHeader(parent: parent, level: level))
    branch.mutableElements.initialize(repeating: .max, count: fanOut)
    (branch.mutableElements + fanOut).initialize(repeating: -1, count: fanOut)
    return branch
  }

  /// Returns the index of the first child that ends after a position.
  @inlinable
  @inline(__always)
  func index(containing position: Int) -> Int {
    index(endingAtOrBehind: position &+ 1)
  }

  /// Returns the index of the first child that ends at a position or after it.
  @inlinable
  @inline(__always)
  func index(endingAtOrBehind position: Int) -> Int {
    let ends = ends
    let position = Int32(truncatingIfNeeded: position)
    // The shift yields -1 for a child that ends before the position, and 0 for any other. The loop
    // has no conditional jumps, so that it is compiled to a few vector comparisons.
    var less: Int32 = 0
    var child = 0
    while child < Self.fanOut {
      less &+= (ends[child] &- position) &>> 31
      child &+= 1
    }
    return Int(truncatingIfNeeded: 0 &- less)
  }

  /// Returns the index of a child, which must exist.
  @inlinable
  @inline(__always)
  func index(of child: Int) -> Int {
    let children = elements + Self.fanOut
    let child = Int32(truncatingIfNeeded: child)
    var index: Int32 = 0
    var candidate: Int32 = 0
    while candidate < Int32(truncatingIfNeeded: Self.fanOut) {
      let difference = children[Int(truncatingIfNeeded: candidate)] ^ child
      // All bits are set if the numbers are equal, none otherwise.
      index |= ~((difference | (0 &- difference)) &>> 31) & candidate
      candidate &+= 1
    }
    return Int(truncatingIfNeeded: index)
  }

  /// Returns the number of elements in the children before an index.
  @inlinable
  @inline(__always)
  func start(of index: Int) -> Int {
    index == 0 ? 0 : Int(truncatingIfNeeded: ends[index &- 1])
  }

  /// The number of elements in all children.
  @inlinable
  @inline(__always)
  var total: Int { start(of: count) }

  /// Adds `difference` to the number of elements of the child at an index.
  @inlinable
  @inline(__always)
  func add(_ difference: Int, to index: Int) {
    let ends = mutableElements
    let difference = Int32(truncatingIfNeeded: difference)
    for child in index..<count { ends[child] &+= difference }
  }

  /// Inserts a child whose elements end at a position.
  @inlinable
  func insert(_ child: Int, end: Int, at index: Int) {
    let count = count
    let ends = mutableElements + index
    let children = ends + Self.fanOut
    (ends + 1).update(from: ends, count: count &- index)
    (children + 1).update(from: children, count: count &- index)
    ends.pointee = Int32(truncatingIfNeeded: end)
    children.pointee = Int32(truncatingIfNeeded: child)
    mutableHeader.pointee.count &+= 1
  }

  /// Removes a child without elements.
  @inlinable
  func remove(at index: Int) {
    let last = count &- 1
    let ends = mutableElements
    let children = ends + Self.fanOut
    (ends + index).update(from: ends + (index &+ 1), count: last &- index)
    (children + index).update(from: children + (index &+ 1), count: last &- index)
    ends[last] = .max
    children[last] = -1
    mutableHeader.pointee.count &-= 1
  }

  /// Counts the elements of the child at `index + 1` as elements of the child at `index`, and
  /// removes the child at `index + 1`.
  @inlinable
  func join(at index: Int) {
    mutableElements[index] = ends[index &+ 1]
    remove(at: index &+ 1)
  }

  /// Removes all children.
  @inlinable
  func clear() {
    mutableHeader.pointee.count = 0
    mutableElements.update(repeating: .max, count: Self.fanOut)
    (mutableElements + Self.fanOut).update(repeating: -1, count: Self.fanOut)
  }

  /// Moves the last children, from an index on, to the end of another branch.
  @inlinable
  func moveTail(from index: Int, to other: Self) {
    let target = other.count
    let shift = other.total &- start(of: index)
    let moved = count &- index
    let ends = mutableElements + index
    let children = ends + Self.fanOut
    let otherEnds = other.mutableElements + target
    let otherChildren = otherEnds + Self.fanOut
    for child in 0..<moved {
      let end = Int(truncatingIfNeeded: ends[child]) &+ shift
      otherEnds[child] = Int32(truncatingIfNeeded: end)
      otherChildren[child] = children[child]
    }
    ends.update(repeating: .max, count: moved)
    children.update(repeating: -1, count: moved)
    mutableHeader.pointee.count = Int32(truncatingIfNeeded: index)
    other.mutableHeader.pointee.count = Int32(truncatingIfNeeded: target &+ moved)
  }
}
