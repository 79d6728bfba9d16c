/// The order of a sorted tree's elements: by a key, and among elements with equal keys by a
/// tie-breaker.
///
/// A separate type rather than a requirement on the element, so that elements of one type can be
/// sorted in several ways, and by values that are not `Comparable`.
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
  /// The default implementation suffices, unless one comparison is faster than two.
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
