extension PersistentTable {
  /// Calls the closure with one run of neighbors after another, in insertion order, until it answers
  /// `false`. The addresses are good while the closure runs.
  @inlinable
  package func forEachRun(_ body: (UnsafeBufferPointer<Element>) throws -> Bool) rethrows {
    var cursor = PageCursor(self)
    while let run = cursor.nextRun() {
      let elements = UnsafeBufferPointer(start: run.start, count: run.end - run.start)
      guard try body(elements) else { break }
    }
    withExtendedLifetime(cursor) {}
  }

  /// Returns where the element with a key lies, while the table is neither changed nor released, and
  /// a number that is greater for those that come later; or `nil`.
  @inlinable
  package func address(of key: Key) -> (element: UnsafePointer<Element>, order: Int)? {
    let slot = slot(of: key)
    return slot < 0 ? nil : (UnsafePointer(pointer(at: slot)), slot)
  }
}
