public import EntiaCollections

/// The order of a sorted index: by key, and then by ID for equal keys.
///
/// A floating-point NaN, neither less nor greater than any value, is last. The order is therefore
/// total for all contents of rows.
@frozen
@usableFromInline
package enum IndexOrder<Key: Comparable, ID: Comparable>: SortedElements {
  @inlinable
  @inline(__always)
  package static func key(of element: SortedEntry<Key, ID>) -> Key { element.key }

  @inlinable
  @inline(__always)
  package static func keyPrecedes(_ a: Key, _ b: Key) -> Bool { precedes(a, b) }

  @inlinable
  @inline(__always)
  package static func tiePrecedes(
    _ a: SortedEntry<Key, ID>, _ b: SortedEntry<Key, ID>
  ) -> Bool { a.id < b.id }

  @inlinable
  @inline(__always)
  package static func precedes(_ a: SortedEntry<Key, ID>, _ b: SortedEntry<Key, ID>) -> Bool {
    if a.key == b.key { return a.id < b.id }
    if isLess(a.key, b.key) { return true }
    if a.key == a.key { return b.key != b.key }
    return b.key != b.key && a.id < b.id
  }

  @inlinable
  @inline(__always)
  static func precedes(_ a: Key, _ b: Key) -> Bool {
    isLess(a, b) || (b != b && a == a)
  }

  /// Whether a key is less than another and equal to itself. A key that contains NaN is last, even
  /// if its parts before the NaN make it less by `<`.
  @inlinable
  @inline(__always)
  static func isLess(_ a: Key, _ b: Key) -> Bool { a < b && (isScalar || a == a) }

  /// Whether a key that does not equal itself is never less than another; a constant in specialized
  /// code. A trivial type with a single part is a number or contains none.
  @inlinable
  @inline(__always)
  static var isScalar: Bool {
    isEqualToItself(Key.self)
      || (_isPOD(Key.self) && MemoryLayout<Key>.size == MemoryLayout<Key>.alignment)
  }
}
