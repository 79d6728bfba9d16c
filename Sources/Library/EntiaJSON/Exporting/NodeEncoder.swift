import EntiaCoding

/// An encoder of one node.
struct NodeEncoder: Encoder {
  let run: EncodingRun
  let node: EncodedNode
  let codingPath: [any CodingKey]

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if case .object = node.content {} else { node.content = .object([]) }
    return KeyedEncodingContainer(EncodedMembers(run: run, node: node, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if case .array = node.content {} else { node.content = .array([]) }
    return EncodedElements(run: run, node: node, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension NodeEncoder: SingleValueEncodingContainer {
  func encodeNil() throws { try set(.null) }

  func encode(_ value: Bool) throws { try set(JSONText(canonical: "\(value)")) }
  func encode(_ value: String) throws { try set(EncodingRun.text(value)) }
  func encode(_ value: Double) throws { try set(try EncodingRun.text(value, codingPath)) }
  func encode(_ value: Float) throws {
    guard value.isFinite else { return try encode(Double(value)) }
    try set(JSONText(canonical: "\(value)"))
  }
  func encode(_ value: some FixedWidthInteger & Encodable) throws {
    try set(JSONText(canonical: String(value)))
  }
  func encode<T: Encodable>(_ value: T) throws {
    node.content = try run.encode(value, at: codingPath).content
  }

  private func set(_ text: JSONText) throws {
    try run.count(text.text.utf8.count)
    node.content = .text(text)
  }
}

/// The elements of an array that is being encoded.
struct EncodedElements: UnkeyedEncodingContainer {
  let run: EncodingRun
  let node: EncodedNode
  let codingPath: [any CodingKey]

  var count: Int {
    if case .array(let elements) = node.content { elements.count } else { 0 }
  }

  private func element() -> NodeEncoder {
    let element = EncodedNode()
    let path = codingPath + [NodeKey(count)]
    node.append(element)
    return NodeEncoder(run: run, node: element, codingPath: path)
  }

  func encodeNil() throws { try element().encodeNil() }
  func encode<T: Encodable>(_ value: T) throws { try element().encode(value) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> { element().container(keyedBy: type) }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { element().unkeyedContainer() }
  func superEncoder() -> any Encoder { element() }
}

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
