import EntiaCoding
import Foundation

/// The JSON text of nested values. All files have the same form: that of `JSONEncoder` with sorted
/// names. The elements of sets, and of dictionaries that are written as arrays, are sorted by their
/// texts. Equal values then have equal texts in all processes.
final class NestedJSON {
  /// The maximum nesting depth of a text, which is that of `JSONDecoder`.
  static let maximumDepth = 512

  /// Reads dates from numbers only.
  private let strictDecoder = JSONDecoder()
  /// Reads dates from texts, too.
  private let decoder = JSONDecoder()

  init() {
    for decoder in [strictDecoder, decoder] {
      decoder.nonConformingFloatDecodingStrategy = .convertFromString(
        positiveInfinity: NestedValue.infinity, negativeInfinity: NestedValue.negativeInfinity,
        nan: NestedValue.nan)
    }
    decoder.dateDecodingStrategy = .custom { try Self.date(from: $0) }
  }

  private static func date(from decoder: any Decoder) throws -> Date {
    do {
      return try Date(from: decoder)
    } catch let failure {
      let text: String
      do { text = try String(from: decoder) } catch { throw failure }
      guard let date = ISO8601Text.sqliteDate(text) else { throw failure }
      return date
    }
  }

  /// Returns the JSON text of a value.
  /// - Throws: The error that encoding the value throws; `EncodingError` for a decimal NaN, for a
  ///   value that encodes nothing, and for one that is nested too deeply to be decoded.
  func text(of value: some Encodable, at path: [any CodingKey] = []) throws -> String {
    let tree = try tree(of: value, at: path)
    if case .nothing = tree.content {
      throw EncodingError.invalidValue(
        value, EncodingError.Context(codingPath: path, debugDescription: "it encodes nothing"))
    }
    return tree.nestedText
  }

  /// Returns the JSON texts of the members of a value that encodes itself as an object.
  /// - Throws: The error that encoding the value throws; `EncodingError` for a decimal NaN, and for
  ///   a value that is nested too deeply to be decoded.
  func members(of value: some Encodable) throws -> [String: String] {
    guard case .object(let members) = try tree(of: value).content else { return [:] }
    return Dictionary(
      members.map { ($0.name, $0.value.nestedText) }, uniquingKeysWith: { first, _ in first })
  }

  private func tree(
    of value: some Encodable, at path: [any CodingKey] = []
  ) throws -> EncodedTree<JSONText> {
    let tree = EncodedTree<JSONText>()
    try NestedValue(tree: tree, codingPath: path).encode(value)
    return tree
  }

  /// Returns the value of a JSON text.
  /// - Throws: The error that decoding the value throws.
  func value<Value: Decodable>(_ type: Value.Type, of text: String) throws -> Value {
    try decoder.decode(type, from: Data(text.utf8))
  }

  /// Returns a decoder of a JSON text.
  /// - Parameters:
  ///   - text: The text.
  ///   - isAmbiguous: Whether the type that reads the value accepts several kinds of values; see
  ///     `StoredForm`.
  /// - Throws: `DecodingError` when the text is no JSON.
  func decoder(of text: String, isAmbiguous: Bool) throws -> any Decoder {
    try (isAmbiguous ? strictDecoder : decoder)
      .decode(DecoderReader.self, from: Data(text.utf8)).decoder
  }
}

/// Passes on the decoder that it receives.
private struct DecoderReader: Decodable {
  let decoder: any Decoder

  init(from decoder: any Decoder) { self.decoder = decoder }
}

/// A nested value that is being encoded as JSON.
private struct NestedValue: EncodingDestination {
  static let infinity = "$Infinity"
  static let negativeInfinity = "$-Infinity"
  static let nan = "$NaN"

  let tree: EncodedTree<JSONText>
  let codingPath: [any CodingKey]

  var count: Int { tree.count }

  func beginObject() { tree.beginObject() }
  func beginArray() { tree.beginArray() }
  func encodeNil() { tree.content = .leaf(.null) }

  func encode<Value: Encodable>(_ value: Value) throws {
    if let leaf = try leaf(value) {
      tree.content = .leaf(leaf)
    } else if codingPath.count >= NestedJSON.maximumDepth {
      throw invalid(value, "it is nested more than \(NestedJSON.maximumDepth) levels deep")
    } else {
      try value.encode(to: DestinationEncoder(self))
      tree.sortIfUnordered(Value.self) { $0.nestedText }
    }
  }

  func encodeInteger(_ value: some FixedWidthInteger & Encodable) {
    tree.content = .leaf(JSONText(canonical: String(value)))
  }

  private func leaf<Value>(_ value: Value) throws -> JSONText? {
    func cast<Same>(_ type: Same.Type) -> Same { unsafeBitCast(value, to: type) }
    // Comparing types takes less time than casts.
    let type: Any.Type = Value.self
    if type == String.self { return text(cast(String.self)) }
    if type == Int.self { return JSONText(canonical: String(cast(Int.self))) }
    if type == Bool.self { return JSONText(canonical: "\(cast(Bool.self))") }
    if type == Double.self { return text(cast(Double.self)) }
    if type == Float.self { return text(cast(Float.self)) }
    if type == Date.self { return text(cast(Date.self).timeIntervalSinceReferenceDate) }
    if type == URL.self { return text(cast(URL.self).absoluteString) }
    if type == Data.self { return text(cast(Data.self).base64EncodedString()) }
    if type == Decimal.self {
      let number = cast(Decimal.self)
      if !number.isNaN { return JSONText(canonical: number.description) }
      throw invalid(number, "a decimal number in it is NaN, which JSON does not have: use nil")
    }
    return nil
  }

  private func invalid(_ value: Any, _ reason: String) -> EncodingError {
    .invalidValue(
      value, EncodingError.Context(codingPath: codingPath, debugDescription: reason))
  }

  private func text(_ string: String) -> JSONText { JSONWriter.text { $0.string(string) } }

  private func text<Number: BinaryFloatingPoint & CustomStringConvertible>(
    _ number: Number
  ) -> JSONText {
    if number.isNaN { return text(Self.nan) }
    if number.isInfinite { return text(number < 0 ? Self.negativeInfinity : Self.infinity) }
    let digits = number.description
    return JSONText(canonical: digits.hasSuffix(".0") ? String(digits.dropLast(2)) : digits)
  }

  func member(_ key: any CodingKey) -> NestedValue {
    NestedValue(tree: tree.member(key.stringValue), codingPath: codingPath + [key])
  }

  func element() -> NestedValue {
    let path = codingPath + [NamedKey(count)]
    return NestedValue(tree: tree.appendElement(), codingPath: path)
  }
}

extension EncodedTree<JSONText> {
  /// The JSON text, with sorted names. A value that encodes nothing is an empty object, as in
  /// `JSONEncoder`.
  fileprivate var nestedText: String {
    JSONWriter.text { write(to: &$0, sortsNames: true, nothing: JSONText(canonical: "{}")) }.text
  }
}
