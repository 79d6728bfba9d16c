extension PersistentTable {
  /// Calls the closure with each run of adjacent elements, in insertion order, until it returns
  /// `false`. The addresses are valid only while the closure runs.
  @inlinable
  package func forEachRun(_ body: (UnsafeBufferPointer<Element>) throws -> Bool) rethrows {
    var cursor = PageCursor(self)
    pages: while let page = cursor.nextPage() {
      let elements = page.elements
      var rest = page.live
      while rest != 0 {
        let skipped = rest.trailingZeroBitCount
        let length = (~(rest &>> UInt64(truncatingIfNeeded: skipped))).trailingZeroBitCount
        let run = UnsafeBufferPointer(start: elements + skipped, count: length)
        guard try body(run) else { break pages }
        // Adding the lowest bit of a run carries through the run.
        rest &= rest &+ (rest & (0 &- rest))
      }
    }
    withExtendedLifetime(cursor) {}
  }

  /// Returns the address of the element with a key, and a number that increases in insertion order;
  /// or `nil`. The address is valid while the table is neither changed nor released.
  @inlinable
  package func address(of key: Key) -> (element: UnsafePointer<Element>, order: Int)? {
    let slot = slot(of: key)
    return slot < 0 ? nil : (pointer(at: slot), slot)
  }
}
