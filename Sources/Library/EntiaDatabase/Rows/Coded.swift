/// A value of any type for coders. It is coded by generated code if its type has some, and
/// otherwise by its own `Codable`.
package struct Coded<Value>: Codable {
  /// The value.
  package let value: Value

  /// Creates the coded form of a value.
  package init(_ value: Value) { self.value = value }

  /// Encodes the value alone.
  /// - Throws: `EncodingError.invalidValue` for a value that is not `Encodable`, and the error that
  ///   encoding the value throws.
  package func encode(to encoder: any Encoder) throws {
    if let row = value as? any RowCodable { return try row.encodeRow(to: encoder) }
    if let value = value as? any Encodable { return try value.encode(to: encoder) }
    throw EncodingError.invalidValue(
      value,
      EncodingError.Context(
        codingPath: encoder.codingPath,
        debugDescription: "\(TypeName.of(type(of: value as Any))) is not Encodable"))
  }

  /// Decodes the value.
  /// - Throws: `DecodingError.typeMismatch` for a type that is not `Decodable`, and the error that
  ///   decoding the value throws.
  package init(from decoder: any Decoder) throws {
    var decoded: Any?
    if let type = Value.self as? any RowCodable.Type {
      decoded = try type.init(rowFrom: decoder)
    } else if let type = Value.self as? any Decodable.Type {
      decoded = try type.init(from: decoder)
    }
    guard let decoded = decoded as? Value else {
      throw DecodingError.typeMismatch(
        Value.self,
        DecodingError.Context(
          codingPath: decoder.codingPath,
          debugDescription: "\(TypeName.of(Value.self)) is not Decodable"))
    }
    value = decoded
  }
}
