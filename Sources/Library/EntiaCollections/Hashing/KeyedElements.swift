/// The way a table gets the key of an element.
///
/// It is a separate type rather than a requirement on the element type, so that elements of any
/// type can be stored, and no member is added to their type.
@usableFromInline
package protocol KeyedElements {
  /// The type of the keys.
  associatedtype Key: TableKey
  /// The type of the elements.
  associatedtype Element
  /// Returns the key of an element, which must not change while the element is stored.
  static func key(of element: Element) -> Key
  /// Whether an element has a key. Every lookup calls this method, so that a layout with computed
  /// keys can compare without creating a key.
  static func matches(_ element: Element, _ key: Key) -> Bool
}

extension KeyedElements {
  /// Whether the element's key equals the key.
  @inlinable
  @inline(__always)
  package static func matches(_ element: Element, _ key: Key) -> Bool {
    self.key(of: element) == key
  }
}

/// The layout of a table of keys alone: each element is its own key.
@usableFromInline
package enum SelfKeyed<Key: TableKey>: KeyedElements {
  /// Returns the element itself.
  @inlinable
  @inline(__always)
  package static func key(of element: Key) -> Key { element }
}

/// A key and the value stored under it.
@frozen
@usableFromInline
package struct KeyValueEntry<Key: TableKey, Value> {
  /// The key.
  @usableFromInline package let key: Key
  /// The value stored under the key.
  @usableFromInline package var value: Value

  /// Creates an entry.
  @inlinable
  package init(key: Key, value: Value) {
    self.key = key
    self.value = value
  }
}

extension KeyValueEntry: Equatable where Value: Equatable {}
extension KeyValueEntry: Sendable where Value: Sendable {}

/// The layout of a table from keys to values.
@usableFromInline
package enum EntryKeyed<Key: TableKey, Value>: KeyedElements {
  /// Returns the entry's key.
  @inlinable
  @inline(__always)
  package static func key(of element: KeyValueEntry<Key, Value>) -> Key { element.key }
}
