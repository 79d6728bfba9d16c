/// Writes JSON values as bytes, without spaces and with the members in their order.
struct MessageWriter {
  private var bytes: [UInt8] = []

  /// Returns the bytes of `value`.
  static func write(_ value: MessageValue) -> [UInt8] {
    var writer = MessageWriter()
    writer.append(value)
    return writer.bytes
  }

  private mutating func append(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  private mutating func append(_ value: MessageValue) {
    switch value {
    case .null: append("null")
    case .bool(let bool): append(bool ? "true" : "false")
    case .integer(let integer): append(String(integer))
    case .number(let number): append(number.isFinite ? number.description : "null")
    case .string(let text): append(quoted: text)
    case .array(let elements):
      append("[")
      for (index, element) in elements.enumerated() {
        if index > 0 { append(",") }
        append(element)
      }
      append("]")
    case .object(let members):
      append("{")
      for (index, member) in members.enumerated() {
        if index > 0 { append(",") }
        append(quoted: member.key)
        append(":")
        append(member.value)
      }
      append("}")
    }
  }

  private mutating func append(quoted text: String) {
    append("\"")
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): append("\\\"")
      case UInt8(ascii: "\\"): append("\\\\")
      case UInt8(ascii: "\n"): append("\\n")
      case UInt8(ascii: "\r"): append("\\r")
      case UInt8(ascii: "\t"): append("\\t")
      case 0..<0x20:
        append("\\u00" + (byte < 0x10 ? "0" : "1") + String(byte & 0xF, radix: 16))
      default: bytes.append(byte)
      }
    }
    append("\"")
  }
}
