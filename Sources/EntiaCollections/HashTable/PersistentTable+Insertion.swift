/// What an insertion did to a table.
@frozen
public enum TableInsertion<Element> {
  /// There was no element with the key.
  case inserted
  /// The element that was there differed, and was replaced.
  case replaced(Element)
  /// An equal element was there; nothing was touched.
  case unchanged
}

extension TableInsertion: Equatable where Element: Equatable {}
extension TableInsertion: Sendable where Element: Sendable {}

extension PersistentTable where Element: Equatable {
  /// Inserts an element, or replaces a different one with its key where that stands; an equal one
  /// is left alone, so that nothing which an older version shares is copied for it.
  /// - Complexity: O(1) expected and amortized; what an older version shares is copied, O(log *n*).
  @inlinable
  @discardableResult
  public mutating func insert(_ element: consuming Element) -> TableInsertion<Element> {
    let key = Layout.key(of: element)
    let tag = SlotIndex.tag(key.tableHash)
    let slot = slot(of: key, tag: tag)
    if slot < 0 {
      append(element, tag: tag)
      return .inserted
    }
    if haveSameValue(pointer(at: slot).pointee, element) { return .unchanged }
    let target = uniquePointer(at: slot)
    let old = target.move()
    target.initialize(to: element)
    return .replaced(old)
  }
}
