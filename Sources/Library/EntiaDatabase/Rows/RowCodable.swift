import EntiaCoding

/// An entity whose members are read, written and merged by code that `@Entity` generates.
///
/// The rows have the same form as the rows of an entity with a synthesized `Codable`: the same
/// JSON, the same columns, the same bytes. `@Entity` also implements `Codable` by this code, unless
/// the entity declares its own.
public protocol RowCodable: Codable {
  /// Creates the entity from the members of a row.
  /// - Parameter row: The row.
  /// - Throws: `DecodingError` if a member without a default is missing, or if the value of a
  ///   member cannot be decoded as the member's type.
  init<Row: RowReader & ~Copyable>(row: inout Row) throws

  /// Writes the members to a row, in the order of their declaration.
  /// - Parameter row: The row.
  /// - Throws: The error that encoding a member throws.
  func write<Row: RowWriter & ~Copyable>(to row: inout Row) throws

  /// Creates the entity that has the changes of two versions.
  /// - Parameters:
  ///   - mine: One version.
  ///   - theirs: The other version.
  ///   - base: The common version from which both were changed.
  ///   - merger: Chooses the value of each member. It records the members that both versions
  ///     changed to different values.
  // Borrowed, because the parameters of an initializer are consuming by default, so that each row
  // would be copied.
  init(
    merging mine: borrowing Self, with theirs: borrowing Self, base: borrowing Self,
    by merger: inout RowMerger)
}

extension RowCodable {
  /// Creates the entity with a decoder of any format. The `init(from:)` that `@Entity` generates
  /// calls this initializer.
  /// - Parameter decoder: The decoder.
  /// - Throws: `DecodingError`, and the error that the decoder throws.
  public init(rowFrom decoder: any Decoder) throws {
    var row = DecoderRow(try decoder.container(keyedBy: NamedKey.self))
    try self.init(row: &row)
  }

  /// Encodes the entity with an encoder of any format. The `encode(to:)` that `@Entity` generates
  /// calls this method.
  /// - Parameter encoder: The encoder.
  /// - Throws: The error that the encoder throws.
  public func encodeRow(to encoder: any Encoder) throws {
    var row = EncoderRow(container: encoder.container(keyedBy: NamedKey.self))
    try write(to: &row)
  }
}

/// A wrapper that encodes and decodes a row by the generated code, even if the row type declares
/// its own `Codable`.
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

/// A wrapper that makes a value of any type `Codable`. The value is encoded and decoded by the
/// generated code of its type, or by its own `Codable` if there is no generated code.
package struct Coded<Value>: Codable {
  /// The value.
  package let value: Value

  /// Creates the coded form of a value.
  package init(_ value: Value) { self.value = value }

  /// Encodes the value as if it were not wrapped.
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
