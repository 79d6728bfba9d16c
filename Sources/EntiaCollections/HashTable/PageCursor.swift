/// Visits the pages of one version of a table, in slot order.
@frozen
@usableFromInline
struct PageCursor<Layout: KeyedElements> {
  @usableFromInline typealias Element = Layout.Element

  @usableFromInline let table: PersistentTable<Layout>
  /// The remaining children of the current node of the lowest level.
  @usableFromInline var child: UnsafePointer<AnyNode?>?
  @usableFromInline var childrenEnd: UnsafePointer<AnyNode?>?
  /// Whether to prefetch pages before they are visited. Pages of small tables are usually cached.
  @usableFromInline var looksAhead: Bool
  /// The first slot of the next node of the lowest level.
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
  mutating func nextPage() -> PageHandle<Element>? {
    while true {
      if child == childrenEnd {
        guard let node = table.lowestNode(from: nextSlot) else { return nil }
        child = node.children
        childrenEnd = node.children + PersistentTable<Layout>.TreeNode.fanOut
        nextSlot = node.end
      }
      let page = child.unsafelyUnwrapped.pointee
      child = child.unsafelyUnwrapped + 1
      if let page {
        if looksAhead, child != childrenEnd, let next = child.unsafelyUnwrapped.pointee {
          looksAhead = next.cast(to: PageHandle<Element>.self).prefetch()
        }
        return page.cast()
      }
    }
  }
}

extension PersistentTable {
  /// Returns the children of the first node of the lowest level at or after a slot, and the
  /// slot after its last one; `nil` if there is none. The slot must be the first of such a node.
  // Takes and returns plain values, so that callers keep their position in registers.
  @inlinable
  @inline(never)
  func lowestNode(
    from firstSlot: Int
  ) -> (children: UnsafePointer<AnyNode?>, end: Int)? {
    guard let top else { return nil }
    let lowestShift = PageHandle<Element>.shift
    var slot = firstSlot
    search: while slot < nextSlot {
      var node = top
      var shift = lowestShift &+ TreeNode.shift &* height
      while shift != lowestShift {
        guard let next = node.child(of: slot, shift: shift) else {
          slot = ((slot &>> shift) &+ 1) &<< shift
          continue search
        }
        node = next.cast()
        shift &-= TreeNode.shift
      }
      return (node.elements, slot &+ (1 &<< (lowestShift &+ TreeNode.shift)))
    }
    return nil
  }
}
