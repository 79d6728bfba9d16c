// The regular prefix of a table that is a tree: the first positions, at which the leaves have
// ascending numbers from 0 on and equally many elements. A place in it is computed, without a
// descent through the order tree. A table that was built, or grew only at its end, is regular as a
// whole. A change in the middle shortens the prefix to the positions before it, because it affects
// no place before its own.

extension NodeRef where Kind == OrderedBranch {
  /// Returns the place of a position in the regular prefix of a root's table, or `nil` outside.
  @inlinable
  @inline(__always)
  func regularPlace(of position: Int) -> OrderedPlace? {
    let header = header.pointee
    let position = Int32(truncatingIfNeeded: position)
    if position >= header.regularEnd { return nil }
    let (leaf, offset) = UInt32(bitPattern: position).quotientAndRemainder(
      dividingBy: header.regularLength)
    return OrderedPlace(
      leaf: Int(truncatingIfNeeded: leaf), offset: Int(truncatingIfNeeded: offset))
  }

  /// Returns the position of the first element of a leaf in the regular prefix of a root's table,
  /// or `nil` for another leaf.
  @inlinable
  @inline(__always)
  func regularStart(ofLeaf leaf: Int) -> Int? {
    let header = header.pointee
    let start = leaf &* Int(truncatingIfNeeded: header.regularLength)
    return start < Int(truncatingIfNeeded: header.regularEnd) ? start : nil
  }
}

extension PersistentOrderedTable {
  /// Declares all places regular. The numbers of the leaves must be ascending from 0 on.
  /// - Parameter length: The number of elements in each leaf but the last.
  @inlinable
  mutating func beginRegularPrefix(ofLength length: Int) {
    let header = branches.unique(0).mutableHeader
    header.pointee.regularLength = UInt32(truncatingIfNeeded: length)
    header.pointee.regularEnd = .max
  }

  /// Ends the regular prefix at a position, unless it ends before.
  @inlinable
  @inline(__always)
  mutating func endRegularPrefix(at position: Int) {
    if position >= Int(truncatingIfNeeded: branches[0].header.pointee.regularEnd) { return }
    let header = branches.unique(0).mutableHeader
    header.pointee.regularEnd = Int32(truncatingIfNeeded: position)
  }

  /// Ends the regular prefix at a new element, unless the place of the element continues it.
  @inlinable
  @inline(__always)
  mutating func updateRegularPrefix(insertedAt position: Int, _ place: OrderedPlace) {
    guard let regular = branches[0].regularPlace(of: position) else { return }
    if position &+ 1 == count, regular == place { return }
    endRegularPrefix(at: position)
  }

  /// Ends the regular prefix at the place of a removed element, unless that was the last element.
  @inlinable
  @inline(__always)
  mutating func updateRegularPrefix(removedAt place: OrderedPlace) {
    guard let start = branches[0].regularStart(ofLeaf: place.leaf) else { return }
    if start &+ place.offset != count { endRegularPrefix(at: start &+ place.offset) }
  }
}
