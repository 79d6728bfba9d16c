extension PersistentOrderedTable {
  /// Calls the closure with one run of neighbors after another, in order, until it answers `false`.
  /// The addresses are good while the closure runs.
  @inlinable
  package func forEachRun(_ body: (UnsafeBufferPointer<Element>) throws -> Bool) rethrows {
    var cursor = OrderedLeafCursor(self)
    while let leaf = cursor.next() {
      let elements = UnsafeBufferPointer(start: Leaves.elements(leaf), count: Leaves.count(leaf))
      guard try body(elements) else { break }
    }
    withExtendedLifetime(cursor) {}
  }

  /// Returns where the element with a key lies, while the table is neither changed nor released; or
  /// `nil`.
  @inlinable
  package func elementAddress(of key: Key) -> UnsafePointer<Element>? {
    pointer(to: key).map { UnsafePointer($0) }
  }

  /// Returns where the element with a key lies, while the table is neither changed nor released, and
  /// its position; or `nil`.
  /// - Complexity: O(log *n*) expected.
  @inlinable
  package func address(of key: Key) -> (element: UnsafePointer<Element>, order: Int)? {
    guard let element = pointer(to: key), let position = position(of: key) else { return nil }
    return (UnsafePointer(element), position)
  }
}
