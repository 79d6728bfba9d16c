extension JSONWriter {
  private static let hexDigits = Array("0123456789abcdef".utf8)

  /// Appends a string in its canonical form: quotes, and only the escapes that JSON demands.
  static func append(string: String, to bytes: inout [UInt8]) {
    bytes.append(Byte.quote)
    var string = string
    string.withUTF8 { append(content: $0, to: &bytes) }
    bytes.append(Byte.quote)
  }

  /// Appends the content of a string, with the escapes that JSON demands.
  static func append(content: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
    var start = 0
    for (index, byte) in content.enumerated() where needsEscape(byte) {
      bytes.append(contentsOf: content[start..<index])
      start = index + 1
      append(escaped: byte, to: &bytes)
    }
    bytes.append(contentsOf: content[start...])
  }

  @inline(__always)
  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == Byte.quote || byte == Byte.backslash
  }

  private static func append(escaped byte: UInt8, to bytes: inout [UInt8]) {
    bytes.append(Byte.backslash)
    switch byte {
    case Byte.quote, Byte.backslash: bytes.append(byte)
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    default:
      bytes.append(contentsOf: "u00".utf8)
      bytes.append(hexDigits[Int(byte >> 4)])
      bytes.append(hexDigits[Int(byte & 0xF)])
    }
  }
}
