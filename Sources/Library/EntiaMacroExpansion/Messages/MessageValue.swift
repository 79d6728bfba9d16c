/// A JSON value in the messages between the compiler and the plugin.
///
/// The plugin is started for every compilation, so it has its own small JSON reader and writer.
/// Loading Foundation would take longer than the expansions.
enum MessageValue: Equatable, Sendable {
  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case string(String)
  case array([MessageValue])
  case object([MessageMember])

  /// The value of an object's member `key`; `nil` if there is none or this is not an object.
  subscript(key: String) -> MessageValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The text, if this is a string.
  var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The number, if this is an integer.
  var integer: Int? {
    if case .integer(let integer) = self { integer } else { nil }
  }

  /// The elements, if this is an array.
  var elements: [MessageValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The members, if this is an object.
  var members: [MessageMember]? {
    if case .object(let members) = self { members } else { nil }
  }
}

/// A member of a JSON object. Members keep their order, so that the output is deterministic.
struct MessageMember: Equatable, Sendable {
  var key: String
  var value: MessageValue
}

extension MessageValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  init(stringLiteral value: String) { self = .string(value) }
  init(integerLiteral value: Int) { self = .integer(value) }
  init(arrayLiteral elements: MessageValue...) { self = .array(elements) }
  init(dictionaryLiteral elements: (String, MessageValue)...) {
    self = .object(elements.map { MessageMember(key: $0.0, value: $0.1) })
  }
}

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

/// A request to expand an attached macro.
struct AttachedExpansion: Equatable, Sendable {
  /// The type named in `#externalMacro`.
  var typeName: String
  /// The role of the expansion: `member`, `extension`, `accessor` or `peer`.
  var role: String
  var attribute: SyntaxText?
  var declaration: SyntaxText
  var extendedType: SyntaxText?
  var conformanceList: SyntaxText?
  /// The declarations around this one, innermost first; `nil` if the compiler does not send them.
  var lexicalContext: [SyntaxText]?
}

/// A piece of the user's source with its leading comments and white space, and its position.
struct SyntaxText: Equatable, Sendable {
  var source: String
  var fileName = ""
  /// The UTF-8 offset of the piece in its file.
  var offset = 0
  /// The line number at the beginning of the piece, from 1; 0 if the compiler does not send it.
  var line = 0
}

extension SyntaxText {
  /// Returns the line at an offset in this piece, or `nil` if the file is unknown.
  func sourceLine(at local: Int) -> SourceLine? {
    guard line > 0, !fileName.isEmpty else { return nil }
    let breaks = source.utf8.prefix(max(0, local)).count { $0 == UInt8(ascii: "\n") }
    return SourceLine(fileName: fileName, number: line &+ breaks)
  }
}

/// The reason why a message cannot be answered.
struct MessageError: Error, Equatable {
  var message: String
}

extension AttachedExpansion {
  /// Reads a request. Unknown keys are ignored, because later compilers may add keys.
  init(json: MessageValue) throws(MessageError) {
    guard let typeName = json["macro"]?["typeName"]?.text else {
      throw MessageError(message: "the request names no macro")
    }
    guard let role = json["macroRole"]?.text else {
      throw MessageError(message: "the request to expand '\(typeName)' names no role")
    }
    guard let declaration = json["declSyntax"].flatMap(SyntaxText.init(json:)) else {
      throw MessageError(message: "the request to expand '\(typeName)' has no declaration")
    }
    self.init(
      typeName: typeName,
      role: role,
      attribute: json["attributeSyntax"].flatMap(SyntaxText.init(json:)),
      declaration: declaration,
      extendedType: json["extendedTypeSyntax"].flatMap(SyntaxText.init(json:)),
      conformanceList: json["conformanceListSyntax"].flatMap(SyntaxText.init(json:)),
      lexicalContext: json["lexicalContext"]?.elements?.compactMap(SyntaxText.init(json:)))
  }
}

extension SyntaxText {
  init?(json: MessageValue) {
    guard let source = json["source"]?.text else { return nil }
    self.init(
      source: source,
      fileName: json["location"]?["fileName"]?.text ?? "",
      offset: json["location"]?["offset"]?.integer ?? 0,
      line: json["location"]?["line"]?.integer ?? 0)
  }
}
