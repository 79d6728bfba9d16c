/// An element of an identified array and its ID.
@frozen
@usableFromInline
struct IdentifiedEntry<ID: Hashable, Element> {
  @usableFromInline let key: IdentifiedKey<ID>
  @usableFromInline var value: Element

  @inlinable
  init(key: IdentifiedKey<ID>, value: Element) {
    self.key = key
    self.value = value
  }
}

extension IdentifiedEntry: Equatable where Element: Equatable {
  /// Compares only the elements, because arrays whose IDs are at different key paths may be equal.
  @inlinable
  @inline(__always)
  static func == (lhs: Self, rhs: Self) -> Bool { haveSameValue(lhs.value, rhs.value) }
}

/// The layout of an identified array's table.
@usableFromInline
enum IdentifiedEntries<ID: Hashable, Element>: KeyedElements {
  @inlinable
  @inline(__always)
  static func key(of element: IdentifiedEntry<ID, Element>) -> IdentifiedKey<ID> { element.key }
}
