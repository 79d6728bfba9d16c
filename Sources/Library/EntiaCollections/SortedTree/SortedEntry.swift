/// A key and the ID of its owner.
@frozen
public struct SortedEntry<Key, ID> {
  /// The key.
  public let key: Key
  /// The ID of the key's owner.
  public let id: ID

  /// Creates an entry.
  @inlinable
  @inline(__always)
  public init(key: Key, id: ID) {
    self.key = key
    self.id = id
  }
}

extension SortedEntry: Equatable where Key: Equatable, ID: Equatable {}
extension SortedEntry: Hashable where Key: Hashable, ID: Hashable {}
extension SortedEntry: Sendable where Key: Sendable, ID: Sendable {}

/// The layout of a tree of entries, ordered by key and then by ID.
public enum KeyThenID<Key: Comparable, ID: Comparable>: SortedElements {
  /// Returns the entry's key.
  @inlinable
  @inline(__always)
  public static func key(of element: SortedEntry<Key, ID>) -> Key { element.key }

  /// Whether one key is less than another.
  @inlinable
  @inline(__always)
  public static func keyPrecedes(_ a: Key, _ b: Key) -> Bool { a < b }

  /// Whether one entry's ID is less than another's.
  @inlinable
  @inline(__always)
  public static func tiePrecedes(
    _ a: SortedEntry<Key, ID>, _ b: SortedEntry<Key, ID>
  ) -> Bool { a.id < b.id }

  /// Whether one entry precedes another.
  @inlinable
  @inline(__always)
  public static func precedes(_ a: SortedEntry<Key, ID>, _ b: SortedEntry<Key, ID>) -> Bool {
    a.key == b.key ? a.id < b.id : a.key < b.key
  }
}
