/// Walks the pages of one version of a table, in slot order.
@frozen
@usableFromInline
struct PageCursor<Layout: KeyedElements> {
  @usableFromInline typealias Element = Layout.Element

  @usableFromInline let table: PersistentTable<Layout>
  /// The children yet to be looked at of the lowest spine node that is being walked.
  @usableFromInline var child: UnsafeMutablePointer<NodePointer?>?
  @usableFromInline var childrenEnd: UnsafeMutablePointer<NodePointer?>?
  /// Whether to have pages fetched before they are walked; those of small tables are at hand.
  @usableFromInline var looksAhead: Bool
  /// The first slot of the next lowest spine node.
  @usableFromInline var nextSlot: Int

  @inlinable
  init(_ table: PersistentTable<Layout>) {
    self.table = table
    child = nil
    childrenEnd = nil
    nextSlot = 0
    looksAhead = table.height > 1
  }

  /// Returns the next page, or `nil` after the last.
  @inlinable
  @inline(__always)
  mutating func nextPage() -> NodePointer? {
    while true {
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
        return page
      }
    }
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
    guard let top else { return nil }
    let lowestShift = Pages<Element>.shift
    var slot = firstSlot
    search: while slot < nextSlot {
      var node = top
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
