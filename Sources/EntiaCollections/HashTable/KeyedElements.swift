/// How a table finds the key inside an element.
///
/// A type of its own rather than a requirement on the element, so that elements of any type can be
/// stored and the element's own namespace stays clean.
public protocol KeyedElements {
  /// The type of the keys.
  associatedtype Key: TableKey
  /// The type of the elements.
  associatedtype Element
  /// Returns the key of an element; the same one for as long as the element is stored.
  static func key(of element: Element) -> Key
}

/// The layout of a table of keys alone: each element is its own key.
public enum SelfKeyed<Key: TableKey>: KeyedElements {
  /// Returns the element itself.
  @inlinable
  public static func key(of element: Key) -> Key { element }
}

/// A key and the value stored under it.
@frozen
public struct KeyValueEntry<Key: TableKey, Value> {
  /// The key.
  public let key: Key
  /// The value stored under the key.
  public var value: Value

  /// Creates an entry.
  @inlinable
  public init(key: Key, value: Value) {
    self.key = key
    self.value = value
  }
}

extension KeyValueEntry: Equatable where Value: Equatable {}
extension KeyValueEntry: Sendable where Value: Sendable {}

/// The layout of a table from keys to values.
public enum EntryKeyed<Key: TableKey, Value>: KeyedElements {
  /// Returns the entry's key.
  @inlinable
  public static func key(of element: KeyValueEntry<Key, Value>) -> Key { element.key }
}
