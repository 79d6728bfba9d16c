extension PersistentTable {
  /// Whether the table has no storage, so that it can be filled.
  @inlinable
  package var isFillable: Bool { root == nil && index.word.isNone }

  /// Inserts elements into a table without storage.
  ///
  /// No other version shares a node of such a table, so the page is looked up once for all its
  /// elements, and the index once for each element.
  /// - Parameters:
  ///   - elements: The elements.
  ///   - inserted: Called with the address of each new element, valid during the call.
  ///   - replace: Called with each element whose key the table already has. It may replace the
  ///     present element in place, and may not insert or remove any.
  @inlinable
  @inline(__always)
  package mutating func fill(
    _ elements: some Sequence<Element>, inserted: (UnsafePointer<Element>) -> Void,
    replace: (inout Self, consuming Element) -> Void
  ) {
    assert(isFillable, "only a new table is filled")
    reserveCapacity(elements.underestimatedCount)
    var iterator = elements.makeIterator()
    // The page for the next new element, until the end of its slots.
    var page: Page?
    var pageEnd = 0
    // Generic code copies an element that is only passed on, unless it is consumed.
    while let element = iterator.next() {
      let key = Layout.key(of: element)
      let tag = self.tag(of: key)
      let found = findEntry(of: key, tag: tag)
      if found.slot >= 0 {
        replace(&self, consume element)
        continue
      }
      if nextSlot == pageEnd {
        precondition(nextSlot < Self.slotLimit, "a table holds fewer than 2^32 rows")
        page = tailPage()
        pageEnd =
          nextSlot < Page.capacity ? 1 &<< Int(firstPageShift) : nextSlot &+ Page.capacity
      }
      let target = page.unsafelyUnwrapped
      let position = nextSlot & (Page.capacity &- 1)
      let stored = target.mutableElements + position
      stored.initialize(to: consume element)
      target.mutableHeader.pointee |= 1 &<< UInt64(truncatingIfNeeded: position)
      index.insertUnshared(tag, nextSlot, near: found.entry)
      nextSlot &+= 1
      liveCount &+= 1
      inserted(UnsafePointer(stored))
    }
    checkInvariants()
  }
}
