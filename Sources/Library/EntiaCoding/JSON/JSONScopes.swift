/// Whether each open level is an object or an array: one bit a level, the innermost in the lowest
/// bit.
package struct JSONScopes {
  package private(set) var depth = 0
  private var bits: UInt64 = 0
  /// The bits of full blocks of 64 levels outside the current block.
  private var blocks: [UInt64] = []

  /// Whether the innermost open level is an object.
  @inline(__always)
  var inObject: Bool { bits & 1 == 1 && depth > 0 }

  @inline(__always)
  package mutating func open(isObject: Bool) {
    if depth & 63 == 0, depth > 0 { blocks.append(bits) }
    bits = bits << 1 | (isObject ? 1 : 0)
    depth += 1
  }

  @inline(__always)
  package mutating func close() {
    depth -= 1
    if depth & 63 == 0, let block = blocks.popLast() {
      bits = block
    } else {
      bits >>= 1
    }
  }
}

/// Numbers of short JSON texts, computed from their digits without a string.
package enum JSONDigits {
  /// Returns the value of at most 18 digits, with or without a sign; `nil` for another text.
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

  /// Returns the value of a decimal whose digits and power of ten are both exact, so that one
  /// division rounds once; `nil` for another text.
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
