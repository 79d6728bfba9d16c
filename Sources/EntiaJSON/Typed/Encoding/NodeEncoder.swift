/// Encodes into one node.
struct NodeEncoder: Encoder {
  unowned let run: EncodingRun
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
  func encodeNil() { node.content = .text(.null) }

  func encode(_ value: Bool) { node.content = .text(JSONText(canonical: "\(value)")) }
  func encode(_ value: String) { node.content = .text(EncodingRun.text(value)) }
  func encode(_ value: Double) throws {
    node.content = .text(try EncodingRun.text(value, codingPath))
  }
  func encode(_ value: Float) throws {
    guard value.isFinite else { return try encode(Double(value)) }
    node.content = .text(JSONText(canonical: "\(value)"))
  }
  func encode(_ value: Int) { integer(value) }
  func encode(_ value: Int8) { integer(value) }
  func encode(_ value: Int16) { integer(value) }
  func encode(_ value: Int32) { integer(value) }
  func encode(_ value: Int64) { integer(value) }
  func encode(_ value: UInt) { integer(value) }
  func encode(_ value: UInt8) { integer(value) }
  func encode(_ value: UInt16) { integer(value) }
  func encode(_ value: UInt32) { integer(value) }
  func encode(_ value: UInt64) { integer(value) }
  func encode<T: Encodable>(_ value: T) throws {
    node.content = try run.encode(value, at: codingPath).content
  }

  private func integer(_ value: some FixedWidthInteger) {
    node.content = .text(JSONText(canonical: String(value)))
  }
}

/// The members of an object that is being encoded.
struct EncodedMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
  unowned let run: EncodingRun
  let node: EncodedNode
  let codingPath: [any CodingKey]

  private func member(_ key: Key) -> NodeEncoder {
    let member = EncodedNode()
    node.set(run.spelled(key.stringValue), member)
    return NodeEncoder(run: run, node: member, codingPath: codingPath + [key])
  }

  func encodeNil(forKey key: Key) { member(key).encodeNil() }
  func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try member(key).encode(value) }

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

/// The elements of an array that is being encoded.
struct EncodedElements: UnkeyedEncodingContainer {
  unowned let run: EncodingRun
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

  func encodeNil() { element().encodeNil() }
  func encode<T: Encodable>(_ value: T) throws { try element().encode(value) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> { element().container(keyedBy: type) }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { element().unkeyedContainer() }
  func superEncoder() -> any Encoder { element() }
}
