/// A JSON number that keeps every digit of its text.
///
/// Two numbers are equal if their texts are equal: `1`, `1.0` and `1e0` are three numbers of the
/// same value. The order is by exact value, for digits and exponents of any length; numbers of
/// equal value are ordered by the bytes of their texts.
public struct JSONNumber: Hashable, Sendable {
  /// The text of the number, as in the input.
  public let text: String

  /// Creates a number from a text, or nil if the text is not a JSON number.
  ///
  /// - Complexity: O(length of the text).
  public init?(_ text: String) {
    let isNumber = JSONReader.reading(Array(text.utf8)) { reader -> Bool in
      do {
        let token = try reader.next()
        // The reader accepts whitespace around a number, but the number's text has none.
        return token == .number && reader.tokenStart == 0 && reader.tokenEnd == reader.count
      } catch {
        return false
      }
    }
    guard isNumber else { return nil }
    self.text = text
  }

  /// Creates a number from an integer.
  public init(_ value: some BinaryInteger) { text = String(value) }

  /// Creates a number from a text that a reader has validated.
  package init(checked text: String) { self.text = text }

  /// Whether the text is an integer, without point and exponent.
  package var isInteger: Bool {
    text.utf8.allSatisfy { Byte.isDigit($0) || $0 == Byte.minus }
  }

  /// Whether the text is the plain notation of an integer: not `-0`, which has the value of `0`.
  package var isPlainInteger: Bool { isInteger && text != "-0" }

  /// The value if the text is an integer that fits in an `Int`, otherwise nil.
  package var integer: Int? {
    // Of all JSON numbers, `Int` parses only those without point and exponent.
    Int(text)
  }
}

extension JSONNumber: CustomStringConvertible {
  /// The text of the number.
  public var description: String { text }
}

extension JSONNumber: Comparable {
  /// Orders numbers by value; numbers of equal value are ordered by the bytes of their texts.
  ///
  /// - Complexity: O(length of the longer text).
  public static func < (lhs: JSONNumber, rhs: JSONNumber) -> Bool {
    let order = lhs.compareValue(to: rhs)
    return order == 0 ? lhs.text.utf8.lexicographicallyPrecedes(rhs.text.utf8) : order < 0
  }

  /// Compares the exact values of two numbers: `1e2` and `100` are equal.
  ///
  /// - Returns: A negative number, zero or a positive number, if this value is less than, equal to
  ///   or greater than the other.
  /// - Complexity: O(length of the longer text).
  package func compareValue(to other: JSONNumber) -> Int {
    if text.utf8.count <= 18, other.text.utf8.count <= 18, let left = integer,
      let right = other.integer
    {
      return left < right ? -1 : left > right ? 1 : 0
    }
    let left = Decimal(text)
    let right = Decimal(other.text)
    guard left.sign == right.sign else { return left.sign < right.sign ? -1 : 1 }
    let magnitude = left.compareMagnitude(to: right)
    return left.sign < 0 ? -magnitude : magnitude
  }

  /// A text of the value, the same for all numbers of equal value.
  ///
  /// - Complexity: O(length of the text).
  package var valueText: String {
    // Most IDs are short integers in plain notation.
    if text.utf8.count <= Decimal.longestInteger, isPlainInteger { return text }
    return Decimal(text).text
  }
}

/// The parts of a number: sign × 0.d₁d₂d₃… × 10^exponent, where d₁ and the last digit are not 0.
private struct Decimal {
  let sign: Int
  let digits: [UInt8]
  let exponent: DecimalExponent

  init(_ text: String) {
    var digits: [UInt8] = []
    var pointAt: Int?
    var bytes = Array(text.utf8)[...]
    let isNegative = bytes.first == Byte.minus
    if isNegative { bytes = bytes.dropFirst() }
    while let byte = bytes.first, byte | 0x20 != Byte.lowerE {
      bytes = bytes.dropFirst()
      if byte == Byte.point { pointAt = digits.count } else { digits.append(byte) }
    }
    let leadingZeros = digits.prefix { $0 == Byte.zero }.count
    let integerDigits = (pointAt ?? digits.count) - leadingZeros
    let trailingZeros = digits.reversed().prefix { $0 == Byte.zero }.count
    guard leadingZeros < digits.count else {
      // All zeros are equal, regardless of sign and exponent.
      self.sign = 0
      self.digits = []
      self.exponent = DecimalExponent(text: [], plus: 0)
      return
    }
    self.sign = isNegative ? -1 : 1
    self.digits = Array(digits[leadingZeros..<digits.count - trailingZeros])
    self.exponent = DecimalExponent(text: bytes.dropFirst(), plus: integerDigits)
  }

  /// The maximum length of an integer that `text` returns in plain notation.
  static let longestInteger = 18

  /// A text of the value: a short integer in plain notation, or else the sign, the digits and the
  /// exponent.
  var text: String {
    if sign == 0 { return "0" }
    let number = (sign < 0 ? "-" : "") + String(decoding: digits, as: UTF8.self)
    let zeros = exponent.small.map { $0 - digits.count }
    if let zeros, zeros >= 0, number.utf8.count + zeros <= Self.longestInteger {
      return number + String(repeating: "0", count: zeros)
    }
    return "\(number)e\(exponent.text)"
  }

  func compareMagnitude(to other: Decimal) -> Int {
    let order = exponent.compare(to: other.exponent)
    if order != 0 { return order }
    if digits.lexicographicallyPrecedes(other.digits) { return -1 }
    return digits == other.digits ? 0 : 1
  }
}

/// A parser of short JSON numbers that creates no string.
package enum JSONDigits {
  /// Returns the value of an integer text of at most 18 bytes; `nil` for another text.
  package static func integer(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    guard bytes.count <= 18 else { return nil }
    let isNegative = bytes.first == Byte.minus
    var value = 0
    var index = isNegative ? 1 : 0
    while index < bytes.count {
      let byte = bytes[index]
      guard Byte.isDigit(byte) else { return nil }
      value = value &* 10 &+ Int(byte &- Byte.zero)
      index &+= 1
    }
    return isNegative ? -value : value
  }

  /// Returns the value of a decimal of at most 16 bytes; `nil` for another text. The value is
  /// rounded only once: if there is a point, the digits and the power of ten are exact, and only
  /// the division rounds.
  package static func double(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    guard bytes.count <= 16 else { return nil }
    var value = 0
    var places = 0
    var hasPoint = false
    for (index, byte) in bytes.enumerated() {
      if Byte.isDigit(byte) {
        value = value &* 10 &+ Int(byte &- Byte.zero)
        if hasPoint { places += 1 }
      } else if byte == Byte.point {
        hasPoint = true
      } else if byte != Byte.minus || index > 0 {
        return nil
      }
    }
    let magnitude = Double(value) / powers[places]
    return bytes.first == Byte.minus ? -magnitude : magnitude
  }

  private static let powers: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
  ]
}
