/// How a sorted tree orders its elements: by a key, and elements with equal keys by something else.
///
/// A type of its own rather than a requirement on the element, so that elements of one type can be
/// sorted in several ways, and by something that is not `Comparable`.
///
/// Together, the two questions must put any two different elements in an order: two of which neither
/// precedes the other are one and the same element to a tree, which keeps one of them.
public protocol SortedElements {
  /// The type of the elements.
  associatedtype Element
  /// What elements are ordered by first, and what ranges are asked for by.
  associatedtype Key

  /// Returns the key of an element; the same one for as long as the element is stored.
  static func key(of element: Element) -> Key

  /// Returns whether one key comes before another.
  static func keyPrecedes(_ a: Key, _ b: Key) -> Bool

  /// Returns whether one of two elements with equal keys comes before the other.
  static func tiePrecedes(_ a: Element, _ b: Element) -> Bool

  /// Returns whether one element comes before another: by their keys, then as ties.
  ///
  /// There is no need to write this one, unless one question can be asked faster than two.
  static func precedes(_ a: Element, _ b: Element) -> Bool
}

extension SortedElements {
  /// Returns whether one element comes before another: by their keys, then as ties.
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
