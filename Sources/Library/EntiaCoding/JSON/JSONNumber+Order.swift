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
  public func compareValue(to other: JSONNumber) -> Int {
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

  func compareMagnitude(to other: Decimal) -> Int {
    let order = exponent.compare(to: other.exponent)
    if order != 0 { return order }
    if digits.lexicographicallyPrecedes(other.digits) { return -1 }
    return digits == other.digits ? 0 : 1
  }
}
