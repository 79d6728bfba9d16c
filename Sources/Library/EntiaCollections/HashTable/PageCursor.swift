/// Visits the pages of one version of a table, in slot order.
@frozen
@usableFromInline
struct PageCursor<Layout: KeyedElements> {
  @usableFromInline typealias Element = Layout.Element

  @usableFromInline let table: PersistentTable<Layout>
  /// The remaining children of the current node of the lowest level.
  @usableFromInline var child: UnsafePointer<AnyNode?>?
  @usableFromInline var childrenEnd: UnsafePointer<AnyNode?>?
  /// Whether to prefetch scattered pages of the next node.
  @usableFromInline var looksAhead: Bool
  /// The first slot of the next node of the lowest level.
  @usableFromInline var nextSlot: Int

  @inlinable
  init(_ table: PersistentTable<Layout>) {
    self.table = table
    child = nil
    childrenEnd = nil
    nextSlot = 0
    looksAhead = false
  }

  /// Returns the next page, or `nil` after the last.
  @inlinable
  @inline(__always)
  mutating func nextPage() -> PageHandle<Element>? {
    while true {
      if child == childrenEnd {
        guard let node = table.lowestNode(from: nextSlot, looksAhead) else { return nil }
        child = node.children
        childrenEnd = node.children + PersistentTable<Layout>.TreeNode.fanOut
        nextSlot = node.end
        looksAhead = node.looksAhead
      }
      let page = child.unsafelyUnwrapped.pointee
      child = child.unsafelyUnwrapped + 1
      if let page { return page.cast() }
    }
  }
}

extension PersistentTable {
  /// Finds the first node of the lowest level from a slot on, which must be a node's first slot.
  /// Returns the node's children, the end of its slots, and whether to prefetch scattered pages of
  /// the next node; `nil` if there is no such node.
  // Takes and returns plain values, so that callers keep their position in registers.
  @inlinable
  @inline(never)
  func lowestNode(
    from firstSlot: Int, _ looksAhead: Bool
  ) -> (children: UnsafePointer<AnyNode?>, end: Int, looksAhead: Bool)? {
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
      return (
        node.elements, slot &+ (1 &<< (lowestShift &+ TreeNode.shift)),
        // Pages of small tables are usually cached, and a caller may need only the first rows.
        looksAhead ? Self.prefetchScatteredPages(of: node) : height > 1
      )
    }
    return nil
  }

  /// Prefetches the pages of a node of the lowest level in parallel, unless they lie close together
  /// in memory: the processor itself then fetches them in time.
  /// - Returns: Whether to continue prefetching, as `prefetch()` does.
  @inlinable
  @inline(__always)
  static func prefetchScatteredPages(of node: TreeNode) -> Bool {
    let children = node.elements
    var far = 0
    for index in 1..<TreeNode.fanOut {
      guard let page = children[index], let last = children[index &- 1] else { continue }
      let distance = page.address - last.address
      if distance.magnitude > 4096 { far &+= 1 }
    }
    if far < TreeNode.fanOut / 4 { return true }
    var continues = true
    for index in 0..<TreeNode.fanOut {
      guard let page = children[index] else { continue }
      // Without a branch, which would wait for the loads.
      continues = page.cast(to: Page.self).prefetch() == continues
    }
    return continues
  }
}
