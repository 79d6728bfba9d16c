/// An iterator over the elements of one version of an ordered table at a range of positions, from
/// the last to the first.
@frozen
@usableFromInline
struct OrderedReverseIterator<Layout: KeyedElements> {
  @usableFromInline typealias Element = Layout.Element

  @usableFromInline var cursor: OrderedLeafCursor<Layout>
  /// The remaining positions in other leaves.
  @usableFromInline var positions: Range<Int>
  /// The address after the next element, and the start of the remaining elements in its leaf.
  @usableFromInline var current: UnsafePointer<Element>?
  @usableFromInline var start: UnsafePointer<Element>?

  @inlinable
  init(_ table: PersistentOrderedTable<Layout>, _ positions: Range<Int>) {
    cursor = OrderedLeafCursor(table)
    self.positions = positions
    current = nil
    start = nil
  }

  /// Returns the address of the next element, valid while the iterator exists.
  @inlinable
  @inline(__always)
  mutating func nextPointer() -> UnsafePointer<Element>? {
    if current == start, !advance() { return nil }
    let element = current.unsafelyUnwrapped - 1
    current = element
    return element
  }

  /// Moves to the previous leaf; returns `false` if there is none.
  // Inlined, unlike the call of the cursor, so that a loop keeps the addresses in registers.
  @inlinable
  @inline(__always)
  mutating func advance() -> Bool {
    if positions.isEmpty { return false }
    let (leaf, available) = cursor.previous(before: positions.upperBound)
    let end = leaf.elements + available
    let taken = min(available, positions.count)
    current = end
    start = end - taken
    positions = positions.lowerBound..<(positions.upperBound &- taken)
    return true
  }
}
