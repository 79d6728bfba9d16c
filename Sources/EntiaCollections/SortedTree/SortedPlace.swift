/// A place between elements: a leaf, how many of its elements are before, and the way there.
@frozen
@usableFromInline
struct SortedPlace {
  @usableFromInline var leaf: NodePointer
  @usableFromInline var slot: Int
  /// Which branch is taken at each level, the lowest in the lowest bits: no tree is higher than the
  /// bits suffice for.
  @usableFromInline var path: UInt64
  /// How many elements of the tree are before the leaf.
  @usableFromInline var before: Int

  @inlinable
  @inline(__always)
  init(leaf: NodePointer, slot: Int, path: UInt64, before: Int) {
    self.leaf = leaf
    self.slot = slot
    self.path = path
    self.before = before
  }

  /// How many elements of the tree are before the place.
  @inlinable
  @inline(__always)
  var rank: Int { before &+ slot }

  /// Which branch is taken at a level from 1 up, in nodes with `1 << shift` branches at most.
  @inlinable
  @inline(__always)
  func branch(at level: Int, shift: Int) -> Int {
    Int(truncatingIfNeeded: path &>> UInt64(truncatingIfNeeded: (level &- 1) &* shift))
      & ((1 &<< shift) &- 1)
  }

  /// Whether the place is before the first element of the node that it goes through at a level.
  @inlinable
  @inline(__always)
  func isAtStart(ofLevel level: Int, shift: Int) -> Bool {
    slot == 0 && path & ((1 &<< UInt64(truncatingIfNeeded: level &* shift)) &- 1) == 0
  }
}
