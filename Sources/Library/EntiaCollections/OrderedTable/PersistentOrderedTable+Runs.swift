extension PersistentOrderedTable {
  /// Calls the closure with each run of adjacent elements, in order, until it returns `false`. The
  /// addresses are valid only while the closure runs.
  @inlinable
  package func forEachRun(_ body: (UnsafeBufferPointer<Element>) throws -> Bool) rethrows {
    var cursor = OrderedLeafCursor(self)
    while let leaf = cursor.next() {
      let elements = UnsafeBufferPointer(start: leaf.elements, count: leaf.count)
      guard try body(elements) else { break }
    }
    withExtendedLifetime(cursor) {}
  }

  /// Returns the address of the element with a key, or `nil`. The address is valid while the table
  /// is neither changed nor released.
  @inlinable
  package func elementAddress(of key: Key) -> UnsafePointer<Element>? {
    pointer(to: key)
  }

  /// Returns the address of the element with a key, and its position; or `nil`. The address is
  /// valid while the table is neither changed nor released.
  /// - Complexity: O(log *n*) expected.
  @inlinable
  package func address(of key: Key) -> (element: UnsafePointer<Element>, order: Int)? {
    guard let element = pointer(to: key), let position = position(of: key) else { return nil }
    return (element, position)
  }
}
