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
