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
  public static func keyPrecedes(_ a: Key, _ b: Key) -> Bool { isLess(a, b) }

  /// Whether one entry's ID is less than another's.
  @inlinable
  @inline(__always)
  public static func tiePrecedes(
    _ a: SortedEntry<Key, ID>, _ b: SortedEntry<Key, ID>
  ) -> Bool { isLess(a.id, b.id) }

  /// Whether one entry precedes another.
  @inlinable
  @inline(__always)
  public static func precedes(_ a: SortedEntry<Key, ID>, _ b: SortedEntry<Key, ID>) -> Bool {
    a.key == b.key ? isLess(a.id, b.id) : isLess(a.key, b.key)
  }
}

/// The order of a sorted tree's elements: by a key, and among elements with equal keys by a
/// tie-breaker.
///
/// It is a separate type rather than a requirement on the element type, so that elements of one
/// type can be sorted in several ways, and by values that are not `Comparable`.
///
/// Together, the two comparisons must order any two different elements. If neither of two elements
/// precedes the other, the tree considers them the same and stores only one of them.
public protocol SortedElements {
  /// The type of the elements.
  associatedtype Element
  /// The type of the keys. Elements are ordered by key first, and ranges are specified by key.
  associatedtype Key

  /// Returns the key of an element, which must not change while the element is stored.
  static func key(of element: Element) -> Key

  /// Whether one key precedes another.
  static func keyPrecedes(_ a: Key, _ b: Key) -> Bool

  /// Whether one of two elements with equal keys precedes the other.
  static func tiePrecedes(_ a: Element, _ b: Element) -> Bool

  /// Whether one element precedes another: by their keys, then by `tiePrecedes`.
  ///
  /// Implement this method only if comparing keys and ties at once is faster than the default
  /// implementation.
  static func precedes(_ a: Element, _ b: Element) -> Bool
}

extension SortedElements {
  /// Whether one element precedes another: by their keys, then by `tiePrecedes`.
  @inlinable
  @inline(__always)
  public static func precedes(_ a: Element, _ b: Element) -> Bool {
    let left = key(of: a)
    let right = key(of: b)
    if keyPrecedes(left, right) { return true }
    if keyPrecedes(right, left) { return false }
    return tiePrecedes(a, b)
  }
}
