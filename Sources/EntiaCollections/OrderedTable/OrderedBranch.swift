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

  @inlinable
  init(count: Int32, parent: Int32, level: Int32) {
    self.count = count
    self.parent = parent
    self.level = level
  }
}

/// A node of the order tree. It stores plain numbers: the end of each child's elements, and the
/// number of each child.
@usableFromInline
final class OrderedBranch: ManagedBuffer<OrderedBranchHeader, Int32> {}

/// The operations on branches.
@usableFromInline
enum OrderedBranches: NumberedContent {
  @inlinable
  @inline(__always)
  static var fanOut: Int { 64 }

  @inlinable
  @inline(__always)
  static func header(_ branch: NodePointer) -> UnsafeMutablePointer<OrderedBranchHeader> {
    Unmanaged<OrderedBranch>.fromOpaque(branch)._withUnsafeGuaranteedRef {
      $0.withUnsafeMutablePointerToHeader { $0 }
    }
  }

  @inlinable
  @inline(__always)
  static func count(_ branch: NodePointer) -> Int {
    Int(truncatingIfNeeded: header(branch).pointee.count)
  }

  /// Returns, for each child, the number of elements up to and including it. If there is no child,
  /// the value is the greatest integer, so that a search need not read the count.
  @inlinable
  @inline(__always)
  static func ends(_ branch: NodePointer) -> UnsafeMutablePointer<Int32> {
    Unmanaged<OrderedBranch>.fromOpaque(branch)._withUnsafeGuaranteedRef {
      $0.withUnsafeMutablePointerToElements { $0 }
    }
  }

  /// Returns the numbers of the children; -1 if there is no child.
  @inlinable
  @inline(__always)
  static func children(_ branch: NodePointer) -> UnsafeMutablePointer<Int32> {
    ends(branch) + fanOut
  }

  @inlinable
  @inline(never)
  static func make(level: Int32, parent: Int) -> NodePointer {
    let branch = owned(
      unsafeDowncast(
        OrderedBranch.create(minimumCapacity: 2 &* fanOut) { _ in
          OrderedBranchHeader(count: 0, parent: Int32(truncatingIfNeeded: parent), level: level)
        }, to: OrderedBranch.self))
    ends(branch).initialize(repeating: .max, count: fanOut)
    children(branch).initialize(repeating: -1, count: fanOut)
    return branch
  }

  @inlinable
  @inline(never)
  static func copy(_ branch: NodePointer) -> NodePointer {
    TableWork.note(.nodeCopied)
    let result = owned(
      unsafeDowncast(
        OrderedBranch.create(minimumCapacity: 2 &* fanOut) { _ in header(branch).pointee },
        to: OrderedBranch.self))
    ends(result).initialize(from: ends(branch), count: 2 &* fanOut)
    return result
  }

  /// Returns the index of the first child that ends after a position.
  @inlinable
  @inline(__always)
  static func index(containing position: Int, in branch: NodePointer) -> Int {
    index(endingAtOrBehind: position &+ 1, in: branch)
  }

  /// Returns the index of the first child that ends at a position or after it.
  @inlinable
  @inline(__always)
  static func index(endingAtOrBehind position: Int, in branch: NodePointer) -> Int {
    let ends = ends(branch)
    let position = Int32(truncatingIfNeeded: position)
    // Without conditional jumps, so that it is compiled to a few vector comparisons: the sign of a
    // difference.
    var less: Int32 = 0
    var child = 0
    while child < fanOut {
      less &+= (ends[child] &- position) &>> 31
      child &+= 1
    }
    return Int(truncatingIfNeeded: 0 &- less)
  }

  /// Returns the index of a child, which must exist.
  @inlinable
  @inline(__always)
  static func index(of child: Int, in branch: NodePointer) -> Int {
    let children = children(branch)
    let child = Int32(truncatingIfNeeded: child)
    var index: Int32 = 0
    var candidate: Int32 = 0
    while candidate < Int32(truncatingIfNeeded: fanOut) {
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
  static func start(of index: Int, in branch: NodePointer) -> Int {
    index == 0 ? 0 : Int(truncatingIfNeeded: ends(branch)[index &- 1])
  }

  /// Returns the number of elements in all children.
  @inlinable
  @inline(__always)
  static func total(_ branch: NodePointer) -> Int { start(of: count(branch), in: branch) }

  /// Adds to the number of elements of one child.
  @inlinable
  @inline(__always)
  static func add(_ difference: Int, to index: Int, in branch: NodePointer) {
    let ends = ends(branch)
    let difference = Int32(truncatingIfNeeded: difference)
    for child in index..<count(branch) { ends[child] &+= difference }
  }

  /// Inserts a child whose elements end at a position.
  @inlinable
  static func insert(_ child: Int, end: Int, at index: Int, into branch: NodePointer) {
    let count = count(branch)
    let ends = ends(branch) + index
    let children = children(branch) + index
    (ends + 1).update(from: ends, count: count &- index)
    (children + 1).update(from: children, count: count &- index)
    ends.pointee = Int32(truncatingIfNeeded: end)
    children.pointee = Int32(truncatingIfNeeded: child)
    header(branch).pointee.count &+= 1
  }

  /// Removes a child without elements.
  @inlinable
  static func remove(at index: Int, from branch: NodePointer) {
    let last = count(branch) &- 1
    let ends = ends(branch)
    let children = children(branch)
    (ends + index).update(from: ends + (index &+ 1), count: last &- index)
    (children + index).update(from: children + (index &+ 1), count: last &- index)
    ends[last] = .max
    children[last] = -1
    header(branch).pointee.count &-= 1
  }

  /// Adds the elements of the child after an index to the child at the index, and removes the
  /// former.
  @inlinable
  static func join(at index: Int, in branch: NodePointer) {
    ends(branch)[index] = ends(branch)[index &+ 1]
    remove(at: index &+ 1, from: branch)
  }

  /// Removes all children.
  @inlinable
  static func clear(_ branch: NodePointer) {
    header(branch).pointee.count = 0
    ends(branch).update(repeating: .max, count: fanOut)
    children(branch).update(repeating: -1, count: fanOut)
  }

  /// Moves the children from an index on to the end of another branch.
  @inlinable
  static func moveTail(of branch: NodePointer, from index: Int, to other: NodePointer) {
    let count = count(branch)
    let target = Self.count(other)
    let shift = total(other) &- start(of: index, in: branch)
    let moved = count &- index
    for child in 0..<moved {
      let end = Int(truncatingIfNeeded: ends(branch)[index &+ child]) &+ shift
      ends(other)[target &+ child] = Int32(truncatingIfNeeded: end)
      children(other)[target &+ child] = children(branch)[index &+ child]
    }
    (ends(branch) + index).update(repeating: .max, count: moved)
    (children(branch) + index).update(repeating: -1, count: moved)
    header(branch).pointee.count = Int32(truncatingIfNeeded: index)
    header(other).pointee.count = Int32(truncatingIfNeeded: target &+ moved)
  }
}
