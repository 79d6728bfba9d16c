extension PersistentTable {
  /// Inserts the elements of a new table, or replaces those with their keys in place.
  ///
  /// The result is that of single insertions. No other version shares a node of a new table, so the
  /// page is looked up once for all its elements, and the index once for each element.
  @inlinable
  mutating func fill(_ elements: some Sequence<Element>) {
    assert(nextSlot == 0, "only a new table is filled")
    var iterator = elements.makeIterator()
    // The page for the next new element, until the end of its slots.
    var page: Page?
    var pageEnd = 0
    // Generic code copies an element that is only passed on, unless it is consumed.
    while let element = iterator.next() {
      let key = Layout.key(of: element)
      let tag = self.tag(of: key)
      let (slot, entry) = index.findEntry(tag) { Layout.matches(pointer(at: $0).pointee, key) }
      if slot >= 0 {
        uniquePointer(at: slot).pointee = consume element
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
      (target.mutableElements + position).initialize(to: consume element)
      target.mutableHeader.pointee |= 1 &<< UInt64(truncatingIfNeeded: position)
      index.insertUnshared(tag, nextSlot, near: entry)
      nextSlot &+= 1
      liveCount &+= 1
    }
    checkInvariants()
  }
}
