import EntiaCoding
import Foundation

/// A value that encodes itself with the elements of sets and dictionaries in a fixed order: that of
/// their JSON texts. Equal values then have equal texts in all processes.
struct SortedValue<Value: Encodable>: Encodable {
  let value: Value
  let json: NestedJSON

  func encode(to encoder: any Encoder) throws {
    let encoder = SortingEncoder(base: encoder, json: json)
    // The cast takes longer than encoding a small value.
    if json.order(of: value) == .none, let value = value as? any UnorderedValue {
      try value.encodeSorted(to: encoder, by: json)
    } else {
      try value.encode(to: encoder)
    }
  }
}

/// A value of the standard library whose elements have no order.
protocol UnorderedValue: Encodable {
  /// Encodes the value with its elements in the order of their texts.
  func encodeSorted(to encoder: any Encoder, by json: NestedJSON) throws
}

extension Set: UnorderedValue where Element: Encodable {
  func encodeSorted(to encoder: any Encoder, by json: NestedJSON) throws {
    var container = encoder.unkeyedContainer()
    for element in try json.sorted(self, by: \.self) { try container.encode(element) }
  }
}

extension Dictionary: UnorderedValue where Key: Encodable, Value: Encodable {
  func encodeSorted(to encoder: any Encoder, by json: NestedJSON) throws {
    let key: Any.Type = Key.self
    if key == String.self || key == Int.self || key is any CodingKeyRepresentable.Type {
      // An object, whose members the encoder of JSON sorts.
      return try encode(to: encoder)
    }
    var container = encoder.unkeyedContainer()
    for (key, value) in try json.sorted(self, by: \.key) {
      try container.encode(key)
      try container.encode(value)
    }
  }
}

extension NestedJSON {
  /// Returns elements in the order of the JSON texts of their keys.
  fileprivate func sorted<Elements: Sequence>(
    _ elements: Elements, by key: (Elements.Element) -> some Encodable
  ) throws -> [Elements.Element] {
    try elements.map { (text: ExactString(try text(of: key($0))), element: $0) }
      .sorted { $0.text < $1.text }
      .map(\.element)
  }
}

/// An encoder that passes all values on, and sorts those that have no order.
private struct SortingEncoder: Encoder {
  let base: any Encoder
  let json: NestedJSON

  var codingPath: [any CodingKey] { base.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(SortingMembers(base: base.container(keyedBy: type), json: json))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    SortingElements(base: base.unkeyedContainer(), json: json)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    SortingSingleValue(base: base.singleValueContainer(), json: json)
  }
}

private struct SortingMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
  var base: KeyedEncodingContainer<Key>
  let json: NestedJSON

  var codingPath: [any CodingKey] { base.codingPath }

  mutating func encodeNil(forKey key: Key) throws { try base.encodeNil(forKey: key) }

  mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    if json.order(of: value) == .fixed {
      try base.encode(value, forKey: key)
    } else {
      try base.encode(SortedValue(value: value, json: json), forKey: key)
    }
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    KeyedEncodingContainer(
      SortingMembers<Nested>(base: base.nestedContainer(keyedBy: type, forKey: key), json: json))
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    SortingElements(base: base.nestedUnkeyedContainer(forKey: key), json: json)
  }

  mutating func superEncoder() -> any Encoder {
    SortingEncoder(base: base.superEncoder(), json: json)
  }

  mutating func superEncoder(forKey key: Key) -> any Encoder {
    SortingEncoder(base: base.superEncoder(forKey: key), json: json)
  }
}

private struct SortingElements: UnkeyedEncodingContainer {
  var base: any UnkeyedEncodingContainer
  let json: NestedJSON

  var codingPath: [any CodingKey] { base.codingPath }
  var count: Int { base.count }

  mutating func encodeNil() throws { try base.encodeNil() }

  mutating func encode<Value: Encodable>(_ value: Value) throws {
    if json.order(of: value) == .fixed {
      try base.encode(value)
    } else {
      try base.encode(SortedValue(value: value, json: json))
    }
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    KeyedEncodingContainer(
      SortingMembers<Nested>(base: base.nestedContainer(keyedBy: type), json: json))
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    SortingElements(base: base.nestedUnkeyedContainer(), json: json)
  }

  mutating func superEncoder() -> any Encoder {
    SortingEncoder(base: base.superEncoder(), json: json)
  }
}

private struct SortingSingleValue: SingleValueEncodingContainer {
  var base: any SingleValueEncodingContainer
  let json: NestedJSON

  var codingPath: [any CodingKey] { base.codingPath }

  mutating func encodeNil() throws { try base.encodeNil() }

  mutating func encode<Value: Encodable>(_ value: Value) throws {
    if json.order(of: value) == .fixed {
      try base.encode(value)
    } else {
      try base.encode(SortedValue(value: value, json: json))
    }
  }
}
