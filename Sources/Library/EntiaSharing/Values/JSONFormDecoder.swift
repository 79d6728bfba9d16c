import EntiaCoding
import Foundation

/// Decodes values in the form of `JSONForm`.
package struct JSONFormDecoder: Decoder, SingleValueDecodingContainer {
  let text: FormText
  let node: Int
  /// The node of the value that the coding path begins at.
  let root: Int
  package var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Creates a decoder of a value in a text.
  package init(_ text: FormText, at node: Int) { self.init(text, at: node, in: node) }

  fileprivate init(_ text: FormText, at node: Int, in root: Int) {
    (self.text, self.node, self.root) = (text, node, root)
  }

  /// Creates a decoder of a value.
  /// - Throws: `JSONError` if the value is nested too deeply.
  init(_ value: JSONValue) throws(JSONError) { self.init(try FormText(value), at: 0) }

  package var codingPath: [any CodingKey] { text.path(from: root, to: node) }

  package func container<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    guard text.nodes[node].token == .beginObject else {
      throw mismatch([String: Any].self, "an object")
    }
    return KeyedDecodingContainer(MemberDecoding(text, object: node, in: root))
  }

  package func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard let elements = text.elements(node) else { throw mismatch([Any].self, "an array") }
    return ElementDecoding(elements, of: node, text, in: root)
  }

  package func singleValueContainer() -> any SingleValueDecodingContainer { self }

  package func decodeNil() -> Bool { text.nodes[node].token == .null }

  package func decode(_ type: Bool.Type) throws -> Bool {
    if let value = text.bool(node) { return value }
    throw mismatch(type, "a Boolean value")
  }

  package func decode(_ type: String.Type) throws -> String {
    if let value = text.string(node) { return value }
    throw mismatch(type, "a string")
  }

  package func decode(_ type: Double.Type) throws -> Double {
    if let value = text.double(node) { return value }
    throw mismatch(type, "a number")
  }

  package func decode(_ type: Float.Type) throws -> Float {
    if let value = JSONForm.float(text.scalar(node)) { return value }
    throw mismatch(type, "a number")
  }

  package func decode<Value: FixedWidthInteger & Decodable>(_ type: Value.Type) throws -> Value {
    if let value: Value = text.integer(node) { return value }
    throw mismatch(type, "an integer of type \(type)")
  }

  package func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    func cast(_ result: Any?, _ expected: String) throws -> Value {
      guard let result = result as? Value else { throw mismatch(type, expected) }
      return result
    }
    let any: Any.Type = type
    // Casts take longer than the rest. `Value` is the type that it is compared with.
    if any == String.self { return unsafeBitCast(try decode(String.self), to: Value.self) }
    if any == Int.self { return unsafeBitCast(try decode(Int.self), to: Value.self) }
    if any == Double.self { return unsafeBitCast(try decode(Double.self), to: Value.self) }
    if any == Bool.self { return try cast(try decode(Bool.self), "a Boolean value") }
    if any == Float.self { return try cast(try decode(Float.self), "a number") }
    if text.isInteger(type), let number = type as? any FixedWidthInteger.Type {
      func integer<Number: FixedWidthInteger>(_ type: Number.Type) -> Any? {
        text.integer(node) as Number?
      }
      return try cast(integer(number), "an integer of type \(type)")
    }
    if any == Data.self {
      guard let string = text.base64(node) else { throw mismatch(type, "a base64 string") }
      return try cast(Data(base64Encoded: string), "a base64 string")
    }
    if any == Decimal.self { return try cast(JSONForm.decimal(text.scalar(node)), "a number") }
    if any == URL.self, text.nodes[node].token == .string {
      return try cast(text.string(node).flatMap { URL(string: $0) }, "a URL")
    }
    return try Value(from: self)
  }

  private func mismatch(_ type: Any.Type, _ expected: String) -> DecodingError {
    let context = DecodingError.Context(
      codingPath: codingPath,
      debugDescription:
        "expected \(expected), found \(JSONForm.kind(of: text.scalar(node)))")
    return decodeNil() ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }
}

/// The members of an object.
private struct MemberDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let text: FormText
  private let object: Int
  private let root: Int
  /// The nodes of the values of a large object.
  private let values: [ExactString: Int]?

  init(_ text: FormText, object: Int, in root: Int) {
    (self.text, self.object, self.root) = (text, object, root)
    // An object of 12 members without parts has 25 nodes.
    let names = text.nodes[object].next - object > 25 ? text.names(object) : []
    guard names.count > 12 else {
      values = nil
      return
    }
    values = Dictionary(
      names.map { (ExactString(text.rawString($0)), $0 + 1) },
      uniquingKeysWith: { first, _ in first })
  }

  var codingPath: [any CodingKey] { text.path(from: root, to: object) }

  var allKeys: [Key] {
    text.names(object).compactMap { text.string($0).flatMap { Key(stringValue: $0) } }
  }

  private func find(_ key: any CodingKey) -> Int? { find(named: key.stringValue) }

  @inline(__always)
  private func find(named name: String) -> Int? {
    let name = JSONForm.text(name)
    if let values { return values[ExactString(name)] }
    return text.member(object, name)
  }

  private func decoder(_ key: any CodingKey) throws -> JSONFormDecoder {
    guard let node = find(key) else {
      throw DecodingError.keyNotFound(
        key,
        DecodingError.Context(codingPath: codingPath, debugDescription: "the member is missing"))
    }
    return JSONFormDecoder(text, at: node, in: root)
  }

  func contains(_ key: Key) -> Bool { find(named: key.stringValue) != nil }
  func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).decodeNil() }

  // The generic method looks for the type of the value. The decoder is only needed for errors.
  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    if let node = find(named: key.stringValue), let value = text.string(node) { return value }
    return try decoder(key).decode(type)
  }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    if let node = find(named: key.stringValue), let value: Int = text.integer(node) {
      return value
    }
    return try decoder(key).decode(type)
  }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    if let node = find(named: key.stringValue), let value = text.double(node) { return value }
    return try decoder(key).decode(type)
  }
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    if let node = find(named: key.stringValue), let value = text.bool(node) { return value }
    return try decoder(key).decode(type)
  }
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    guard let node = find(named: key.stringValue) else { return try decoder(key).decode(type) }
    return try JSONFormDecoder(text, at: node, in: root).decode(type)
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
  private let text: FormText
  private let array: Int
  private let root: Int
  private let elements: [Int]
  private(set) var currentIndex = 0

  init(_ elements: [Int], of array: Int, _ text: FormText, in root: Int) {
    (self.elements, self.array, self.text, self.root) = (elements, array, text, root)
  }

  var codingPath: [any CodingKey] { text.path(from: root, to: array) }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex == elements.count }

  private func decoder() throws -> JSONFormDecoder {
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        Any.self,
        DecodingError.Context(
          codingPath: codingPath + [NamedKey(currentIndex)],
          debugDescription: "the array has no such element"))
    }
    return JSONFormDecoder(text, at: elements[currentIndex], in: root)
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
