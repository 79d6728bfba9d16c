/// A place between elements: a leaf, the number of its elements before the place, and the path to
/// it.
@frozen
@usableFromInline
struct SortedPlace {
  @usableFromInline var leaf: AnyNode
  @usableFromInline var slot: Int
  /// The branch index at each level, the lowest level in the lowest bits. The bits suffice for
  /// every possible height.
  @usableFromInline var path: UInt64
  /// The number of elements of the tree before the leaf.
  @usableFromInline var before: Int

  @inlinable
  @inline(__always)
  init(leaf: AnyNode, slot: Int, path: UInt64, before: Int) {
    self.leaf = leaf
    self.slot = slot
    self.path = path
    self.before = before
  }

  /// The number of elements of the tree before the place.
  @inlinable
  @inline(__always)
  var rank: Int { before &+ slot }

  /// Returns the branch index at a level from 1 up, in nodes with at most `1 << shift` branches.
  @inlinable
  @inline(__always)
  func branch(at level: Int, shift: Int) -> Int {
    Int(truncatingIfNeeded: path &>> UInt64(truncatingIfNeeded: (level &- 1) &* shift))
      & ((1 &<< shift) &- 1)
  }

  /// Whether the place is before the first element of its node at a level.
  @inlinable
  @inline(__always)
  func isAtStart(ofLevel level: Int, shift: Int) -> Bool {
    slot == 0 && path & ((1 &<< UInt64(truncatingIfNeeded: level &* shift)) &- 1) == 0
  }
}
