/// The members of an object that is being encoded.
struct EncodedMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let run: EncodingRun
  let node: EncodedNode
  let codingPath: [any CodingKey]

  private func member(_ key: Key) -> NodeEncoder {
    let member = EncodedNode()
    node.set(run.spelled(key.stringValue), member)
    return NodeEncoder(run: run, node: member, codingPath: codingPath + [key])
  }

  func encodeNil(forKey key: Key) throws {
    try count(key)
    try member(key).encodeNil()
  }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    try count(key)
    try member(key).encode(value)
  }

  private func count(_ key: Key) throws {
    try run.count(run.spelled(key.stringValue).utf8.count + 2)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> { member(key).container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    member(key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder {
    let member = EncodedNode()
    node.set("super", member)
    return NodeEncoder(run: run, node: member, codingPath: codingPath + [NodeKey("super")])
  }

  func superEncoder(forKey key: Key) -> any Encoder { member(key) }
}
