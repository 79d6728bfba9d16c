/// The effect of an insertion into a table.
@frozen
public enum TableInsertion<Element> {
  /// The table had no element with the key.
  case inserted
  /// The table had a different element with the key, which was replaced.
  case replaced(Element)
  /// The table had an equal element, and was not changed.
  case unchanged
}

extension TableInsertion: Equatable where Element: Equatable {}
extension TableInsertion: Sendable where Element: Sendable {}

extension PersistentTable where Element: Equatable {
  /// Inserts an element, or replaces a different one with the same key in place. An equal one is
  /// kept, so that nothing that an older version shares is copied.
  /// - Complexity: O(1) expected and amortized, plus O(log *n*) for copying what an older version
  ///   shares.
  @inlinable
  @discardableResult
  public mutating func insert(_ element: consuming Element) -> TableInsertion<Element> {
    insertReturningAddress(element).outcome
  }

  /// Inserts an element, or replaces a different one with the same key in place. An equal one is
  /// kept.
  /// - Returns: The effect, and the address of the element that is now stored, valid until the next
  ///   change.
  /// - Complexity: O(1) expected and amortized, plus O(log *n*) for copying what an older version
  ///   shares.
  @inlinable
  package mutating func insertReturningAddress(
    _ element: consuming Element
  ) -> (outcome: TableInsertion<Element>, stored: UnsafePointer<Element>) {
    let key = Layout.key(of: element)
    let tag = self.tag(of: key)
    let found = findEntry(of: key, tag: tag)
    if found.slot < 0 { return (.inserted, append(element, tag: tag, near: found.entry)) }
    let known = found.element.unsafelyUnwrapped
    if haveSameValue(known.pointee, element) { return (.unchanged, known) }
    let target = uniquePointer(at: found.slot)
    let old = target.move()
    target.initialize(to: element)
    return (.replaced(old), UnsafePointer(target))
  }
}
