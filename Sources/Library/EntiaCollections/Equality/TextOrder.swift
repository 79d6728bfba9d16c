import Foundation

/// Whether the first value is less than the second. Strings, substrings and characters are compared
/// in the total order of `TextOrder`, and other values by `<`.
///
/// The standard library's `<` is not total for strings. For example, neither the decomposed `e◌́`
/// nor the composed `és` is less than the other, although they are not equal. Rows that are sorted
/// by `<` could therefore not be found again.
@inlinable
@inline(__always)
package func isLess<Value: Comparable>(_ lhs: Value, _ rhs: Value) -> Bool {
  if Value.self == String.self {
    return TextOrder.precedes(
      unsafeBitCast(lhs, to: String.self), unsafeBitCast(rhs, to: String.self))
  }
  if Value.self == Character.self {
    return TextOrder.precedes(
      String(unsafeBitCast(lhs, to: Character.self)),
      String(unsafeBitCast(rhs, to: Character.self)))
  }
  if Value.self == Substring.self {
    return TextOrder.precedes(
      String(unsafeBitCast(lhs, to: Substring.self)),
      String(unsafeBitCast(rhs, to: Substring.self)))
  }
  return lhs < rhs
}

/// Whether the first value is less than the second, or equal to it, in the order of `isLess`.
@inlinable
@inline(__always)
package func isLessOrEqual<Value: Comparable>(_ lhs: Value, _ rhs: Value) -> Bool {
  let isText =
    Value.self == String.self || Value.self == Character.self || Value.self == Substring.self
  return isText ? !isLess(rhs, lhs) : lhs <= rhs
}

/// The order of strings by the Unicode scalars of their composed forms.
@usableFromInline
package enum TextOrder {
  /// Whether the first string precedes the second.
  /// - Complexity: O(length of the common prefix). If a decomposed character may begin where the
  ///   strings differ, O(length of both strings).
  @inlinable
  package static func precedes(_ lhs: String, _ rhs: String) -> Bool {
    // The two counts of a string are equal only if all its characters are ASCII. An ASCII string
    // returns both counts in O(1).
    if lhs.utf8.count == lhs.utf16.count, rhs.utf8.count == rhs.utf16.count { return lhs < rhs }
    return precedesBeyondASCII(lhs, rhs)
  }

  @usableFromInline
  static func precedesBeyondASCII(_ lhs: String, _ rhs: String) -> Bool {
    let quick = lhs.utf8.withContiguousStorageIfAvailable { left in
      rhs.utf8.withContiguousStorageIfAvailable { right in quickOrder(left, right) } ?? nil
    }
    if let quick = quick ?? nil { return quick }
    if lhs == rhs { return false }
    let (left, right) = (composed(lhs).utf8, composed(rhs).utf8)
    if left.elementsEqual(right) { return lhs.utf8.lexicographicallyPrecedes(rhs.utf8) }
    return left.lexicographicallyPrecedes(right)
  }

  private static func composed(_ text: String) -> String {
    // Decomposed first, because Foundation does not compose a syllable of Hangul with a final
    // consonant that follows it.
    text.decomposedStringWithCanonicalMapping.precomposedStringWithCanonicalMapping
  }

  /// Returns whether the first text precedes the second. Returns `nil` if a composition of the
  /// texts may change the scalars at which they first differ.
  private static func quickOrder(
    _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
  ) -> Bool? {
    var position = commonCount(left, right)
    if position == left.count, position == right.count { return false }
    // Moves `position` back to the start of the differing scalar.
    while position > 0, isContinuation(position, left) || isContinuation(position, right) {
      position -= 1
    }
    guard let first = stableScalar(left, position), let second = stableScalar(right, position)
    else { return nil }
    return first < second
  }

  /// Returns the number of bytes in the common prefix of two texts.
  private static func commonCount(
    _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
  ) -> Int {
    let count = min(left.count, right.count)
    let (first, second) = (UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right))
    var position = 0
    while position + 8 <= count,
      first.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        == second.loadUnaligned(fromByteOffset: position, as: UInt64.self)
    { position += 8 }
    while position < count, left[position] == right[position] { position += 1 }
    return position
  }

  private static func isContinuation(
    _ position: Int, _ text: UnsafeBufferPointer<UInt8>
  ) -> Bool { position < text.count && text[position] & 0xC0 == 0x80 }

  /// Returns the scalar at a position, or -1 at the end of the text. Returns `nil` if the scalar
  /// may be composed with the preceding or the following one.
  private static func stableScalar(
    _ text: UnsafeBufferPointer<UInt8>, _ position: Int
  ) -> Int64? {
    guard let (scalar, next) = scalar(text, position) else { return -1 }
    guard isStarter(scalar) else { return nil }
    if let (following, _) = self.scalar(text, next), !isStarter(following) { return nil }
    return Int64(scalar)
  }

  /// Returns the scalar at a position and the position after it, or `nil` at the end.
  private static func scalar(
    _ text: UnsafeBufferPointer<UInt8>, _ position: Int
  ) -> (scalar: UInt32, next: Int)? {
    guard position < text.count else { return nil }
    let first = text[position]
    if first < 0x80 { return (UInt32(first), position + 1) }
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    var scalar = UInt32(first) & (0x7F >> UInt32(length))
    for index in position + 1..<min(position + length, text.count) {
      scalar = scalar << 6 | UInt32(text[index] & 0x3F)
    }
    return (scalar, position + length)
  }

  /// Whether a scalar is its own composed form and is never composed with the preceding scalar. For
  /// most scalars of rare scripts, the result is `false` even if it could be `true`.
  private static func isStarter(_ scalar: UInt32) -> Bool {
    switch scalar {
    // ASCII and the letters of Latin, Greek (without marks) and Cyrillic.
    case 0..<0x300, 0x391...0x3C9, 0x400..<0x483, 0x48A..<0x530: true
    // The letters of Vietnamese, Hebrew and Arabic.
    case 0x1E00..<0x1F00, 0x5D0...0x5EA, 0x621...0x63A, 0x641...0x64A: true
    // The letters and some vowel signs of Devanagari and Thai.
    case 0x904...0x939, 0x93D...0x94C, 0xE01...0xE37, 0xE3F...0xE47: true
    // Punctuation, symbols of currencies, arrows and mathematics.
    case 0x2010...0x2027, 0x20A0...0x20C0, 0x2190..<0x21A0: true
    // Kana, ideographs and whole syllables of Hangul.
    case 0x3041...0x3096, 0x30A1...0x30FA, 0x4E00...0x9FFF, 0xAC00...0xD7A3: true
    // Emoji.
    case 0x1F300..<0x1FB00: true
    default: false
    }
  }
}
