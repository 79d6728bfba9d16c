import EntiaCoding

extension RowCodable {
  /// Creates the entity with a decoder of any format, as `@Entity` implements `Decodable`.
  /// - Parameter decoder: The decoder.
  /// - Throws: `DecodingError`, and the error that the decoder throws.
  public init(rowFrom decoder: any Decoder) throws {
    var row = DecoderRow(try decoder.container(keyedBy: NamedKey.self))
    try self.init(row: &row)
  }

  /// Encodes the entity with an encoder of any format, as `@Entity` implements `Encodable`.
  /// - Parameter encoder: The encoder.
  /// - Throws: The error that the encoder throws.
  public func encodeRow(to encoder: any Encoder) throws {
    var row = EncoderRow(container: encoder.container(keyedBy: NamedKey.self))
    try write(to: &row)
  }
}

/// A row as a value that the generated code encodes and decodes, also if the row declares its own
/// `Codable`.
package struct CodedEntity<Row: RowCodable>: Codable {
  /// The row.
  package let row: Row

  /// Creates the value of a row.
  package init(_ row: Row) { self.row = row }

  package init(from decoder: any Decoder) throws { row = try Row(rowFrom: decoder) }
  package func encode(to encoder: any Encoder) throws { try row.encodeRow(to: encoder) }
}

/// A row that is read with a decoder.
private struct DecoderRow: RowReader {
  static var hasNestedEntities: Bool { true }

  private let container: KeyedDecodingContainer<NamedKey>

  init(_ container: KeyedDecodingContainer<NamedKey>) { self.container = container }

  private func key(_ name: StaticString) -> NamedKey { NamedKey(name.description) }

  func hasMember(_ name: StaticString) -> Bool { container.contains(key(name)) }

  func codingPath(_ name: StaticString) -> [any CodingKey] { container.codingPath + [key(name)] }

  func member(_ name: StaticString) throws -> String {
    try container.decode(String.self, forKey: key(name))
  }
  func memberIfPresent(_ name: StaticString) throws -> String? {
    try container.decodeIfPresent(String.self, forKey: key(name))
  }
  func member(_ name: StaticString) throws -> Int {
    try container.decode(Int.self, forKey: key(name))
  }
  func memberIfPresent(_ name: StaticString) throws -> Int? {
    try container.decodeIfPresent(Int.self, forKey: key(name))
  }
  func member(_ name: StaticString) throws -> Double {
    try container.decode(Double.self, forKey: key(name))
  }
  func memberIfPresent(_ name: StaticString) throws -> Double? {
    try container.decodeIfPresent(Double.self, forKey: key(name))
  }
  func member(_ name: StaticString) throws -> Bool {
    try container.decode(Bool.self, forKey: key(name))
  }
  func memberIfPresent(_ name: StaticString) throws -> Bool? {
    try container.decodeIfPresent(Bool.self, forKey: key(name))
  }

  func value<Value: Decodable>(_ name: StaticString) throws -> Value {
    try container.decode(Value.self, forKey: key(name))
  }
  func valueIfPresent<Value: Decodable>(_ name: StaticString) throws -> Value? {
    try container.decodeIfPresent(Value.self, forKey: key(name))
  }
}

/// A row that is written with an encoder.
private struct EncoderRow: RowWriter {
  static var hasNestedEntities: Bool { true }

  var container: KeyedEncodingContainer<NamedKey>

  private func key(_ name: StaticString) -> NamedKey { NamedKey(name.description) }

  mutating func setMember(_ name: StaticString, to value: String) throws {
    try container.encode(value, forKey: key(name))
  }
  mutating func setMember(_ name: StaticString, to value: Int) throws {
    try container.encode(value, forKey: key(name))
  }
  mutating func setMember(_ name: StaticString, to value: Double) throws {
    try container.encode(value, forKey: key(name))
  }
  mutating func setMember(_ name: StaticString, to value: Bool) throws {
    try container.encode(value, forKey: key(name))
  }

  mutating func setValue<Value: Encodable>(_ name: StaticString, to value: Value) throws {
    try container.encode(value, forKey: key(name))
  }
  mutating func setPresentValue<Value: Encodable>(_ name: StaticString, to value: Value) throws {
    try container.encodeIfPresent(value, forKey: key(name))
  }
  mutating func setMissing(_ name: StaticString) throws {
    try container.encodeIfPresent(String?.none, forKey: key(name))
  }
  mutating func setNull(_ name: StaticString) throws { try container.encodeNil(forKey: key(name)) }
}
