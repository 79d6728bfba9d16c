import Foundation

/// The JSON text of nested values, with the settings that all files share.
final class JSONText {
  private let encoder = JSONEncoder()
  private let decoder = JSONDecoder()

  init() {
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "$Infinity", negativeInfinity: "$-Infinity", nan: "$NaN")
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "$Infinity", negativeInfinity: "$-Infinity", nan: "$NaN")
  }

  /// Returns the JSON text of a value.
  /// - Throws: The error that encoding the value throws; `EncodingError` for a decimal NaN.
  func text(of value: some Encodable) throws -> String {
    String(decoding: try data(of: value), as: UTF8.self)
  }

  private func data(of value: some Encodable) throws -> Data {
    let data = try encoder.encode(value)
    // A decimal NaN is encoded as a name, which no decoder reads.
    if data.range(of: Data("NaN".utf8)) != nil, JSONMembers.hasName(data) {
      throw EncodingError.invalidValue(
        value,
        EncodingError.Context(
          codingPath: [],
          debugDescription: "a decimal number in it is NaN, which JSON does not have: use nil"))
    }
    return data
  }

  /// Returns the value of a JSON text.
  /// - Throws: The error that decoding the value throws.
  func value<Value: Decodable>(_ type: Value.Type, of text: String) throws -> Value {
    try decoder.decode(type, from: Data(text.utf8))
  }

  /// Returns a decoder of a JSON text.
  /// - Throws: `DecodingError` when the text is no JSON.
  func decoder(of text: String) throws -> any Decoder {
    try value(DecoderReader.self, of: text).decoder
  }

  /// Returns the JSON texts of the members of a value that encodes itself as an object.
  /// - Throws: The error that encoding the value throws.
  func members(of value: some Encodable) throws -> [String: String] {
    var texts: [String: String] = [:]
    for (key, text) in JSONMembers.members(of: try data(of: value)) {
      texts[try decoder.decode(String.self, from: key)] = String(decoding: text, as: UTF8.self)
    }
    return texts
  }
}

/// Passes on the decoder that it receives.
private struct DecoderReader: Decodable {
  let decoder: any Decoder

  init(from decoder: any Decoder) { self.decoder = decoder }
}

/// The members of a JSON object as it writes them, so that no digit of a number is lost.
enum JSONMembers {
  /// Returns the key, as a JSON string, and the value of each member of an object.
  /// - Parameter text: A valid JSON text without spaces between its tokens.
  static func members(of text: Data) -> [(key: Data, value: Data)] {
    guard text.first == UInt8(ascii: "{") else { return [] }
    var result: [(key: Data, value: Data)] = []
    var key: Data?
    var start = text.startIndex + 1
    visit(text) { index, byte, depth in
      switch byte {
      case UInt8(ascii: ":") where depth == 1 && key == nil:
        key = text[start..<index]
        start = index + 1
      case UInt8(ascii: ",") where depth == 1, UInt8(ascii: "}") where depth == 0:
        if let key { result.append((key, text[start..<index])) }
        key = nil
        start = index + 1
      default: break
      }
    }
    return result
  }

  /// Whether a text has a name such as `NaN` outside its strings.
  static func hasName(_ text: Data) -> Bool {
    var result = false
    visit(text) { _, byte, _ in if byte == UInt8(ascii: "N") { result = true } }
    return result
  }

  /// Calls the closure with every byte outside strings, and the number of arrays and objects around
  /// it.
  private static func visit(
    _ text: Data, _ body: (_ index: Int, _ byte: UInt8, _ depth: Int) -> Void
  ) {
    var depth = 0
    var isString = false
    var isEscaped = false
    for (index, byte) in zip(text.indices, text) {
      if isString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
      body(index, byte, depth)
    }
  }
}
