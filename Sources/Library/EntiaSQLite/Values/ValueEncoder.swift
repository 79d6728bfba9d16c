import Foundation

/// Encodes the value of one member.
final class ValueEncoder {
  let json = JSONText()
  /// The types that have encoded themselves as JSON arrays or objects.
  private var nestedTypes: Set<ObjectIdentifier> = []

  /// Returns the form of a value.
  /// - Parameters:
  ///   - value: The value.
  ///   - isAmbiguous: Whether the reader accepts several types.
  ///   - path: The members that lead to it.
  /// - Throws: The error that encoding the value throws.
  func form<Value: Encodable>(
    of value: Value, isAmbiguous: Bool = false, at path: [any CodingKey]
  ) throws -> StoredValue {
    func cast<Same>(_ type: Same.Type) -> Same { unsafeBitCast(value, to: type) }
    let type: Any.Type = Value.self
    if type == String.self {
      return StoredForm.form(of: cast(String.self), isAmbiguous: isAmbiguous)
    }
    if type == Int.self { return StoredForm.form(of: cast(Int.self)) }
    if type == Double.self { return StoredForm.form(of: cast(Double.self)) }
    if type == Bool.self { return StoredForm.form(of: cast(Bool.self), isAmbiguous: isAmbiguous) }
    if type == Date.self {
      return StoredForm.form(of: cast(Date.self).timeIntervalSinceReferenceDate)
    }
    if type == UUID.self { return .text(cast(UUID.self).uuidString) }
    if type == Data.self { return StoredForm.form(of: cast(Data.self)) }
    if type == Float.self { return StoredForm.form(of: cast(Float.self)) }
    if type == URL.self { return try StoredForm.form(of: cast(URL.self), json) }
    if type == Decimal.self {
      return StoredForm.form(of: cast(Decimal.self), isAmbiguous: isAmbiguous)
    }
    if let number = value as? any FixedWidthInteger & Encodable {
      return StoredForm.form(of: number)
    }
    return try formOfOther(value, isAmbiguous: isAmbiguous, at: path)
  }

  /// Returns the JSON text of a value of a type that has encoded itself as an array or an object,
  /// or `nil` for one that does not: an enum may encode some of its cases as single values or as
  /// nothing.
  private func containerText(of value: some Encodable) -> String? {
    do {
      let text = try json.text(of: value)
      return text.hasPrefix("{") || text.hasPrefix("[") ? text : nil
    } catch {
      // The other way of encoding throws it again, unless the value encodes nothing.
      return nil
    }
  }

  private func formOfOther<Value: Encodable>(
    _ value: Value, isAmbiguous: Bool, at path: [any CodingKey]
  ) throws -> StoredValue {
    let type = ObjectIdentifier(Value.self)
    if nestedTypes.contains(type), let text = containerText(of: value) { return .text(text) }
    let encoder = SingleValueEncoder(
      values: self, isAmbiguous: isAmbiguous || !isTransparent(Value.self), codingPath: path)
    try value.encode(to: encoder)
    if let result = encoder.result { return result }
    // A value that encodes nothing, for which JSONEncoder throws.
    if !encoder.isNested { return .text("{}") }
    nestedTypes.insert(type)
    return .text(try json.text(of: value))
  }
}

/// The encoder that a value receives whose form is not known by its type.
final class SingleValueEncoder: Encoder, SingleValueEncodingContainer {
  private let values: ValueEncoder
  private let isAmbiguous: Bool
  let codingPath: [any CodingKey]
  /// The form of the value, once it has encoded itself as a single value.
  private(set) var result: StoredValue?
  /// Whether the value encodes itself as an array or an object.
  private(set) var isNested = false

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(values: ValueEncoder, isAmbiguous: Bool, codingPath: [any CodingKey]) {
    self.values = values
    self.isAmbiguous = isAmbiguous
    self.codingPath = codingPath
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    isNested = true
    return DiscardingEncoder(codingPath: codingPath).container(keyedBy: type)
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    isNested = true
    return DiscardingEncoder(codingPath: codingPath).unkeyedContainer()
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() { result = StoredForm.explicitNil }

  func encode<Value: Encodable>(_ value: Value) throws {
    result = try values.form(of: value, isAmbiguous: isAmbiguous, at: codingPath)
  }
}

/// An encoder that ignores all values, for a value that is encoded in another way once it has asked
/// for a container.
struct DiscardingEncoder: Encoder {
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(DiscardingKeyedContainer(codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    DiscardingContainer(codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    DiscardingContainer(codingPath: codingPath)
  }
}

private struct DiscardingKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let codingPath: [any CodingKey]

  func encodeNil(forKey key: Key) {}
  func encode(_ value: some Encodable, forKey key: Key) {}
  func superEncoder() -> any Encoder { DiscardingEncoder(codingPath: codingPath) }
  func superEncoder(forKey key: Key) -> any Encoder { DiscardingEncoder(codingPath: codingPath) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    KeyedEncodingContainer(DiscardingKeyedContainer<Nested>(codingPath: codingPath))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    DiscardingContainer(codingPath: codingPath)
  }
}

private struct DiscardingContainer: UnkeyedEncodingContainer, SingleValueEncodingContainer {
  let codingPath: [any CodingKey]
  var count = 0

  mutating func encodeNil() { count += 1 }
  mutating func encode(_ value: some Encodable) { count += 1 }

  mutating func superEncoder() -> any Encoder {
    count += 1
    return DiscardingEncoder(codingPath: codingPath)
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    count += 1
    return KeyedEncodingContainer(DiscardingKeyedContainer<Nested>(codingPath: codingPath))
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    count += 1
    return DiscardingContainer(codingPath: codingPath)
  }
}
