extension JSONWriter {
  @usableFromInline static let hexDigits = Array("0123456789abcdef".utf8)

  /// Appends a string in canonical form: quoted, with only the required escapes.
  @inlinable
  package static func append<Sink: ByteSink & ~Copyable>(string: String, to bytes: inout Sink) {
    bytes.append(Byte.quote)
    var string = string
    string.withUTF8 { append(content: $0, to: &bytes) }
    bytes.append(Byte.quote)
  }

  /// Appends the content of a string, with only the required escapes.
  @inlinable
  package static func append<Sink: ByteSink & ~Copyable>(
    content: UnsafeBufferPointer<UInt8>, to bytes: inout Sink
  ) {
    var start = 0
    var index = 0
    while index < content.count {
      if index &+ 8 <= content.count, needsNoEscape(content, at: index) {
        index &+= 8
        continue
      }
      if needsEscape(content[index]) {
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: content[start..<index]))
        start = index + 1
        append(escaped: content[index], to: &bytes)
      }
      index &+= 1
    }
    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: content[start...]))
  }

  /// Returns true only if none of the eight bytes at an index needs an escape. The result may be
  /// false even if none does.
  @inlinable
  @inline(__always)
  static func needsNoEscape(_ content: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
    let word = UnsafeRawBufferPointer(content).loadUnaligned(
      fromByteOffset: index, as: UInt64.self)
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = word ^ (ones &* UInt64(Byte.quote))
    let slashes = word ^ (ones &* UInt64(Byte.backslash))
    // A byte below x borrows from its high bit, as in the search of `JSONReader`.
    let marks =
      ((word &- ones &* 0x20) & ~word) | ((quotes &- ones) & ~quotes)
      | ((slashes &- ones) & ~slashes)
    return marks & 0x8080_8080_8080_8080 == 0
  }

  @inlinable
  @inline(__always)
  static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == Byte.quote || byte == Byte.backslash
  }

  @usableFromInline
  static func append<Sink: ByteSink & ~Copyable>(
    escaped byte: UInt8, to bytes: inout Sink
  ) {
    bytes.append(Byte.backslash)
    switch byte {
    case Byte.quote, Byte.backslash: bytes.append(byte)
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    default:
      for byte in "u00".utf8 { bytes.append(byte) }
      bytes.append(hexDigits[Int(byte >> 4)])
      bytes.append(hexDigits[Int(byte & 0xF)])
    }
  }
}
