import EntiaCoding
import Foundation

/// Encodes values in the form of `JSONForm`.
struct JSONFormEncoder: Encoder {
  let target: EncodedValue
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Returns the JSON of a value.
  /// - Throws: The error that encoding the value throws.
  static func json(of value: some Encodable) throws -> JSONValue {
    let target = EncodedValue()
    try JSONFormEncoder(target: target, codingPath: []).encode(value)
    return try target.json()
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    target.makeObject()
    return KeyedEncodingContainer(MemberEncoding(target: target, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    target.makeArray()
    return ElementEncoding(target: target, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension JSONFormEncoder: SingleValueEncodingContainer {
  func encodeNil() { target.set(.null) }

  func encode<Value: Encodable>(_ value: Value) throws {
    switch value {
    case let value as Bool: target.set(.bool(value))
    case let value as String: target.set(.string(JSONForm.text(value)))
    case let value as Double: target.set(JSONForm.form(of: value))
    case let value as Float: target.set(JSONForm.form(of: value))
    case let value as any FixedWidthInteger: target.set(.number(JSONNumber(value)))
    case let value as Data: target.set(.string(value.base64EncodedString()))
    case let value as Decimal: target.set(JSONForm.form(of: value))
    case let value as URL where value.baseURL == nil:
      target.set(.string(JSONForm.text(value.relativeString)))
    default: try value.encode(to: self)
    }
  }
}

/// The members of an object.
private struct MemberEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let target: EncodedValue
  let codingPath: [any CodingKey]

  private func encoder(_ key: any CodingKey) -> JSONFormEncoder {
    JSONFormEncoder(target: target.member(key.stringValue), codingPath: codingPath + [key])
  }

  func encodeNil(forKey key: Key) { encoder(key).encodeNil() }
  func encode(_ value: some Encodable, forKey key: Key) throws { try encoder(key).encode(value) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> { encoder(key).container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder(key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoder(NamedKey("super")) }
  func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }
}

/// The elements of an array.
private struct ElementEncoding: UnkeyedEncodingContainer {
  let target: EncodedValue
  let codingPath: [any CodingKey]
  var count: Int { target.count }

  private func encoder() -> JSONFormEncoder {
    let key = NamedKey(target.count)
    return JSONFormEncoder(target: target.append(), codingPath: codingPath + [key])
  }

  func encodeNil() { encoder().encodeNil() }
  func encode(_ value: some Encodable) throws { try encoder().encode(value) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> { encoder().container(keyedBy: type) }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder().unkeyedContainer() }
  func superEncoder() -> any Encoder { encoder() }
}

/// A key with a name or an index.
package struct NamedKey: CodingKey {
  package let stringValue: String
  package let intValue: Int?

  package init(_ name: String) {
    stringValue = name
    intValue = nil
  }

  package init(_ index: Int) {
    stringValue = "Index \(index)"
    intValue = index
  }

  package init?(stringValue: String) { self.init(stringValue) }
  package init?(intValue: Int) { self.init(intValue) }
}
