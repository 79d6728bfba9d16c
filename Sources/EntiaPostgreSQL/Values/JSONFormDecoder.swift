import EntiaJSON
import Foundation

/// Decodes values in the form of `JSONForm`.
struct JSONFormDecoder: Decoder, SingleValueDecodingContainer {
  let value: JSONValue
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(_ value: JSONValue, codingPath: [any CodingKey] = []) {
    self.value = value
    self.codingPath = codingPath
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let members) = value else { throw mismatch([String: Any].self, "an object") }
    return KeyedDecodingContainer(MemberDecoding(members, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = value else { throw mismatch([Any].self, "an array") }
    return ElementDecoding(elements: elements, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool {
    if case .null = value { return true }
    return false
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    func cast(_ result: Any?, _ expected: String) throws -> Value {
      guard let result = result as? Value else { throw mismatch(type, expected) }
      return result
    }
    let any: Any.Type = type
    if any == String.self {
      if case .string(let form) = value { return try cast(JSONForm.string(form), "a string") }
      throw mismatch(type, "a string")
    }
    if any == Bool.self {
      if case .bool(let bool) = value { return try cast(bool, "a Boolean value") }
      throw mismatch(type, "a Boolean value")
    }
    if any == Double.self { return try cast(JSONForm.double(value), "a number") }
    if any == Int.self {
      return try cast(JSONForm.integer(value) as Int?, "an integer of type Int")
    }
    if any == Float.self { return try cast(JSONForm.float(value), "a number") }
    if let number = type as? any FixedWidthInteger.Type {
      func integer<Number: FixedWidthInteger>(_ type: Number.Type) -> Any? {
        JSONForm.integer(value) as Number?
      }
      return try cast(integer(number), "an integer of type \(type)")
    }
    if any == Data.self {
      guard case .string(let text) = value else { throw mismatch(type, "a base64 string") }
      return try cast(Data(base64Encoded: text), "a base64 string")
    }
    if any == Decimal.self { return try cast(JSONForm.decimal(value), "a number") }
    if any == URL.self, case .string(let form) = value {
      return try cast(JSONForm.string(form).flatMap { URL(string: $0) }, "a URL")
    }
    return try Value(from: self)
  }

  private func mismatch(_ type: Any.Type, _ expected: String) -> DecodingError {
    let context = DecodingError.Context(
      codingPath: codingPath,
      debugDescription: "expected \(expected), found \(JSONForm.kind(of: value))")
    return decodeNil() ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }
}

/// The members of an object.
private struct MemberDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let members: [JSONValue.Member]
  /// The indexes of the members of a large object.
  private let indexes: [ExactString: Int]?
  let codingPath: [any CodingKey]

  init(_ members: [JSONValue.Member], codingPath: [any CodingKey]) {
    self.members = members
    self.codingPath = codingPath
    guard members.count > 12 else {
      indexes = nil
      return
    }
    indexes = Dictionary(
      members.indices.map { (ExactString(members[$0].name), $0) },
      uniquingKeysWith: { first, _ in first })
  }

  var allKeys: [Key] {
    members.compactMap { JSONForm.string($0.name).flatMap { Key(stringValue: $0) } }
  }

  private func find(_ key: any CodingKey) -> JSONValue? {
    let name = JSONForm.text(key.stringValue)
    if let indexes { return indexes[ExactString(name)].map { members[$0].value } }
    return members.first { ExactString($0.name) == ExactString(name) }?.value
  }

  private func decoder(_ key: any CodingKey) throws -> JSONFormDecoder {
    guard let value = find(key) else {
      throw DecodingError.keyNotFound(
        key,
        DecodingError.Context(codingPath: codingPath, debugDescription: "the member is missing"))
    }
    return JSONFormDecoder(value, codingPath: codingPath + [key])
  }

  func contains(_ key: Key) -> Bool { find(key) != nil }
  func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).decodeNil() }

  // The generic method looks for the type of the value. The decoder is only needed for errors.
  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    if case .string(let form)? = find(key), let text = JSONForm.string(form) { return text }
    return try decoder(key).decode(type)
  }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    if let value = find(key), let number: Int = JSONForm.integer(value) { return number }
    return try decoder(key).decode(type)
  }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    if let value = find(key), let number = JSONForm.double(value) { return number }
    return try decoder(key).decode(type)
  }
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    if case .bool(let value)? = find(key) { return value }
    return try decoder(key).decode(type)
  }
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try decoder(key).decode(type)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> { try decoder(key).container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { try decoder(NamedKey("super")) }
  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }
}

/// The elements of an array.
private struct ElementDecoding: UnkeyedDecodingContainer {
  let elements: [JSONValue]
  let codingPath: [any CodingKey]
  private(set) var currentIndex = 0

  init(elements: [JSONValue], codingPath: [any CodingKey]) {
    self.elements = elements
    self.codingPath = codingPath
  }

  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex == elements.count }

  private func decoder() throws -> JSONFormDecoder {
    let path = codingPath + [NamedKey(currentIndex)]
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        Any.self,
        DecodingError.Context(codingPath: path, debugDescription: "the array has no such element"))
    }
    return JSONFormDecoder(elements[currentIndex], codingPath: path)
  }

  mutating func decodeNil() throws -> Bool {
    let isNil = try decoder().decodeNil()
    if isNil { currentIndex += 1 }
    return isNil
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let value = try decoder().decode(type)
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    let container = try decoder().container(keyedBy: type)
    currentIndex += 1
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try decoder().unkeyedContainer()
    currentIndex += 1
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = try decoder()
    currentIndex += 1
    return decoder
  }
}
