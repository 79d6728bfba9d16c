/// An error in a JSON text, and the offset of the byte at which parsing failed.
struct MessageSyntaxError: Error, Equatable, CustomStringConvertible {
  var message: String
  var offset: Int

  var description: String { "\(message) at byte \(offset)" }
}

/// Reads one JSON value from bytes.
struct MessageParser {
  private let bytes: [UInt8]
  private var position = 0
  // More than any message of the protocol needs. The limit prevents an input from exhausting the
  // stack.
  private static let deepestNesting = 128

  /// Parses `bytes`, which must contain one JSON value.
  static func parse(_ bytes: [UInt8]) throws(MessageSyntaxError) -> MessageValue {
    var parser = MessageParser(bytes: bytes)
    let value = try parser.value(depth: 0)
    parser.skipSpace()
    guard parser.position == bytes.count else { throw parser.error("unexpected text") }
    return value
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  private func error(_ message: String) -> MessageSyntaxError {
    MessageSyntaxError(message: message, offset: position)
  }

  private var current: UInt8? {
    position < bytes.count ? bytes[position] : nil
  }

  private mutating func skipSpace() {
    while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
  }

  private mutating func consume(_ character: Unicode.Scalar) -> Bool {
    guard current == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func consume(word: StaticString) -> Bool {
    let end = position + word.utf8CodeUnitCount
    guard end <= bytes.count else { return false }
    for index in position..<end where bytes[index] != word.utf8Start[index - position] {
      return false
    }
    position = end
    return true
  }

  private mutating func value(depth: Int) throws(MessageSyntaxError) -> MessageValue {
    guard depth < Self.deepestNesting else { throw error("nested too deeply") }
    skipSpace()
    switch current {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    default: break
    }
    if consume(word: "true") { return .bool(true) }
    if consume(word: "false") { return .bool(false) }
    if consume(word: "null") { return .null }
    return try number()
  }

  private mutating func object(depth: Int) throws(MessageSyntaxError) -> MessageValue {
    position += 1
    var members: [MessageMember] = []
    skipSpace()
    if consume("}") { return .object(members) }
    repeat {
      skipSpace()
      guard current == UInt8(ascii: "\"") else { throw error("expected a member name") }
      let key = try string()
      skipSpace()
      guard consume(":") else { throw error("expected ':'") }
      members.append(MessageMember(key: key, value: try value(depth: depth + 1)))
      skipSpace()
    } while consume(",")
    guard consume("}") else { throw error("expected ',' or '}'") }
    return .object(members)
  }

  private mutating func array(depth: Int) throws(MessageSyntaxError) -> MessageValue {
    position += 1
    var elements: [MessageValue] = []
    skipSpace()
    if consume("]") { return .array(elements) }
    repeat {
      elements.append(try value(depth: depth + 1))
      skipSpace()
    } while consume(",")
    guard consume("]") else { throw error("expected ',' or ']'") }
    return .array(elements)
  }

  private mutating func number() throws(MessageSyntaxError) -> MessageValue {
    let start = position
    while let byte = current, isNumberByte(byte) { position += 1 }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if !text.hasPrefix("+") {
      if let integer = Int(text) { return .integer(integer) }
      if let number = Double(text), number.isFinite { return .number(number) }
    }
    position = start
    throw error("expected a value")
  }

  private func isNumberByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  private mutating func string() throws(MessageSyntaxError) -> String {
    position += 1
    var text: [UInt8] = []
    while let byte = current {
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): text.append(contentsOf: String(try escape()).utf8)
      default: text.append(byte)
      }
    }
    throw error("unterminated string")
  }

  private mutating func escape() throws(MessageSyntaxError) -> Unicode.Scalar {
    guard let byte = current else { throw error("unterminated string") }
    position += 1
    switch byte {
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "u"): return try unicodeEscape()
    default:
      position -= 1
      throw error("unknown escape")
    }
  }

  private mutating func unicodeEscape() throws(MessageSyntaxError) -> Unicode.Scalar {
    let unit = try fourDigits()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    let afterFirst = position
    if unit < 0xDC00, consume("\\"), consume("u") {
      let second = try fourDigits()
      if (0xDC00...0xDFFF).contains(second),
        let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (second - 0xDC00))
      {
        return scalar
      }
    }
    // An unpaired surrogate has no scalar. The text after it is parsed separately.
    position = afterFirst
    return "\u{FFFD}"
  }

  private mutating func fourDigits() throws(MessageSyntaxError) -> UInt32 {
    var result: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = current, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw error("expected four hexadecimal digits")
      }
      result = result << 4 + UInt32(digit)
      position += 1
    }
    return result
  }
}
