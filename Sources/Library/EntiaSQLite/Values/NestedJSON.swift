import EntiaCoding
import Foundation

/// The JSON text of nested values, with the settings that all files share.
final class NestedJSON {
  private let encoder = JSONEncoder()
  private let decoder = JSONDecoder()
  /// The order in which the values of each type encode their parts.
  private var orders: [ObjectIdentifier: ElementOrder] = [:]
  /// The number of values whose parts did not determine the order of their type, by type.
  private var silentValues: [ObjectIdentifier: Int] = [:]

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

  /// Returns the order in which a value encodes its parts.
  func order<Value>(of value: Value) -> ElementOrder {
    let type = ObjectIdentifier(Value.self)
    if let known = orders[type] { return known }
    let order = ElementOrder.isFixed(value) ? .fixed : ElementOrder(Value.self)
    // Examining values takes longer than sorting them, so only the first ones are examined.
    silentValues[type, default: 0] += 1
    if order != .unknown || silentValues[type] == 16 { orders[type] = order }
    return order
  }

  private func data<Value: Encodable>(of value: Value) throws -> Data {
    let data =
      order(of: value) == .fixed
      ? try encoder.encode(value) : try encoder.encode(SortedValue(value: value, json: self))
    // A decimal NaN is encoded as a name, which no decoder reads.
    if data.range(of: Data("NaN".utf8)) != nil, !Self.isJSON(data) {
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

  /// Returns the JSON texts of the members of a value that encodes itself as an object. They are
  /// the texts that the encoder writes, so that no digit of a number is lost.
  /// - Throws: The error that encoding the value throws.
  func members(of value: some Encodable) throws -> [String: String] {
    try JSONReader.reading(Array(try data(of: value))) { reader throws(JSONError) in
      var texts: [String: String] = [:]
      guard try reader.next() == .beginObject else { return texts }
      while try reader.next() == .name {
        let name = reader.string()
        let token = try reader.next()
        let start = reader.tokenStart
        try reader.skipValue(token)
        texts[name] = String(decoding: reader.bytes(start..<reader.tokenEnd), as: UTF8.self)
      }
      return texts
    }
  }

  private static func isJSON(_ data: Data) -> Bool {
    JSONReader.reading(Array(data)) { reader in
      do {
        try reader.skipValue(try reader.next())
        return true
      } catch {
        return false
      }
    }
  }
}

/// Passes on the decoder that it receives.
private struct DecoderReader: Decodable {
  let decoder: any Decoder

  init(from decoder: any Decoder) { self.decoder = decoder }
}
