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
  /// - Throws: The error that encoding the value throws.
  func text(of value: some Encodable) throws -> String {
    String(decoding: try encoder.encode(value), as: UTF8.self)
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
    try decoder.decode([String: JSONTree].self, from: try encoder.encode(value))
      .mapValues { try text(of: $0) }
  }
}

/// Passes on the decoder that it receives.
private struct DecoderReader: Decodable {
  let decoder: any Decoder

  init(from decoder: any Decoder) { self.decoder = decoder }
}

/// Any JSON value.
private enum JSONTree: Codable {
  case null
  case bool(Bool)
  case integer(Int64)
  case unsigned(UInt64)
  case number(Double)
  case string(String)
  case array([JSONTree])
  case object([String: JSONTree])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    func decode<Value: Decodable>(_ type: Value.Type) -> Value? {
      // A value of another type is tried next; the last attempt throws.
      do { return try container.decode(type) } catch { return nil }
    }
    if container.decodeNil() {
      self = .null
    } else if let value = decode(Bool.self) {
      self = .bool(value)
    } else if let value = decode(String.self) {
      // Before numbers: the settings read some strings as numbers.
      self = .string(value)
    } else if let value = decode(Int64.self) {
      self = .integer(value)
    } else if let value = decode(UInt64.self) {
      self = .unsigned(value)
    } else if let value = decode(Double.self) {
      self = .number(value)
    } else if let value = decode([JSONTree].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONTree].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .unsigned(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }
}
