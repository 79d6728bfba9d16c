/// The bytes with a meaning in the JSON grammar.
@usableFromInline
package enum Byte {
  @inlinable package static var quote: UInt8 { UInt8(ascii: "\"") }
  @inlinable package static var backslash: UInt8 { UInt8(ascii: "\\") }
  @inlinable package static var comma: UInt8 { UInt8(ascii: ",") }
  @inlinable package static var colon: UInt8 { UInt8(ascii: ":") }
  @inlinable package static var openBrace: UInt8 { UInt8(ascii: "{") }
  @inlinable package static var closeBrace: UInt8 { UInt8(ascii: "}") }
  @inlinable package static var openBracket: UInt8 { UInt8(ascii: "[") }
  @inlinable package static var closeBracket: UInt8 { UInt8(ascii: "]") }
  @inlinable package static var minus: UInt8 { UInt8(ascii: "-") }
  @inlinable package static var plus: UInt8 { UInt8(ascii: "+") }
  @inlinable package static var point: UInt8 { UInt8(ascii: ".") }
  @inlinable package static var zero: UInt8 { UInt8(ascii: "0") }
  @inlinable package static var nine: UInt8 { UInt8(ascii: "9") }
  @inlinable package static var lowerE: UInt8 { UInt8(ascii: "e") }
  @inlinable package static var lowerU: UInt8 { UInt8(ascii: "u") }
  @inlinable package static var newline: UInt8 { UInt8(ascii: "\n") }
  @inlinable package static var carriageReturn: UInt8 { UInt8(ascii: "\r") }
  @inlinable package static var space: UInt8 { UInt8(ascii: " ") }

  /// Returns whether a byte is one of `0` to `9`.
  @inlinable
  @inline(__always)
  package static func isDigit(_ byte: UInt8) -> Bool { byte &- zero <= 9 }

  /// Returns the value of a hexadecimal digit, or nil if the byte is not one.
  @inlinable
  @inline(__always)
  package static func hexValue(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }
}
