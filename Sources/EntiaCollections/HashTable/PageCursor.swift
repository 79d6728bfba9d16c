/// Walks the runs of live slots of one version of a table, in slot order.
@frozen
@usableFromInline
struct PageCursor<Layout: KeyedElements> {
  @usableFromInline typealias Element = Layout.Element

  @usableFromInline let table: PersistentTable<Layout>
  /// The children yet to be looked at of the lowest spine node that is being walked.
  @usableFromInline var child: UnsafeMutablePointer<NodePointer?>?
  @usableFromInline var childrenEnd: UnsafeMutablePointer<NodePointer?>?
  /// The page that the live slots in `rest` are of.
  @usableFromInline var elements: UnsafeMutablePointer<Element>?
  @usableFromInline var rest: UInt64
  /// Whether to have pages fetched before they are walked; those of small tables are at hand.
  @usableFromInline var looksAhead: Bool
  /// The first slot of the next lowest spine node.
  @usableFromInline var nextSlot: Int

  @inlinable
  init(_ table: PersistentTable<Layout>) {
    self.table = table
    child = nil
    childrenEnd = nil
    elements = nil
    rest = 0
    nextSlot = 0
    looksAhead = table.height > 1
  }

  /// Returns where the next run of live slots starts and ends, or `nil` after the last.
  @inlinable
  @inline(__always)
  mutating func nextRun() -> (
    start: UnsafeMutablePointer<Element>, end: UnsafeMutablePointer<Element>
  )? {
    while rest == 0 {
      if child == childrenEnd {
        guard let node = table.lowestNode(from: nextSlot) else { return nil }
        child = node.children
        childrenEnd = node.children + Spines.fanOut
        nextSlot = node.end
      }
      let page = child.unsafelyUnwrapped.pointee
      child = child.unsafelyUnwrapped + 1
      if let page {
        if looksAhead, child != childrenEnd, let next = child.unsafelyUnwrapped.pointee {
          looksAhead = Pages<Element>.fetch(next)
        }
        rest = Pages<Element>.live(page).pointee
        elements = Pages<Element>.elements(page)
      }
    }
    let skipped = rest.trailingZeroBitCount
    let length = (~(rest &>> UInt64(truncatingIfNeeded: skipped))).trailingZeroBitCount
    let start = elements.unsafelyUnwrapped + skipped
    // Adding the lowest bit of a run carries through the run.
    rest &= rest &+ (rest & (0 &- rest))
    return (start, start + length)
  }
}

extension PersistentTable {
  /// Returns the children of the first lowest spine node at or after a slot, which is a first slot
  /// of one, and the slot after its last; `nil` when there is none.
  // Takes and returns plain values, so that what walks the pages keeps its place in registers.
  @inlinable
  @inline(never)
  func lowestNode(
    from firstSlot: Int
  ) -> (children: UnsafeMutablePointer<NodePointer?>, end: Int)? {
    guard let root else { return nil }
    let lowestShift = Pages<Element>.shift
    var slot = firstSlot
    search: while slot < nextSlot {
      var node = borrowed(root)
      var shift = lowestShift &+ Spines.shift &* height
      while shift != lowestShift {
        guard let next = Spines.children(node)[Spines.child(of: slot, shift: shift)] else {
          slot = ((slot &>> shift) &+ 1) &<< shift
          continue search
        }
        node = next
        shift &-= Spines.shift
      }
      return (Spines.children(node), slot &+ (1 &<< (lowestShift &+ Spines.shift)))
    }
    return nil
  }
}
