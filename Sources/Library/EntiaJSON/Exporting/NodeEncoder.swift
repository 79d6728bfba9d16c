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

/// A value that is being encoded; its parts may be added in any order.
final class EncodedNode {
  enum Content {
    case nothing
    case text(JSONText)
    case array([EncodedNode])
    case object([(name: String, value: EncodedNode)])
  }

  var content = Content.nothing

  init(_ content: Content = .nothing) { self.content = content }

  /// Appends an element. The node becomes an array if it is not one.
  func append(_ node: EncodedNode) {
    var elements: [EncodedNode] = []
    if case .array(let known) = content { elements = known }
    content = .nothing
    elements.append(node)
    content = .array(elements)
  }

  /// Sets a member. The node becomes an object if it is not one.
  func set(_ name: String, _ node: EncodedNode) {
    var members: [(name: String, value: EncodedNode)] = []
    if case .object(let known) = content { members = known }
    content = .nothing
    if let place = members.firstIndex(where: { $0.name.isExactly(name) }) {
      members[place].value = node
    } else {
      members.append((name, node))
    }
    content = .object(members)
  }

  /// Returns the node as a single text, which takes a fraction of the memory of its parts.
  func asText() -> EncodedNode {
    EncodedNode(.text(JSONWriter.text { write(to: &$0) }))
  }

  func write(to writer: inout JSONWriter) {
    switch content {
    case .nothing: writer.null()
    case .text(let text): writer.text(text)
    case .array(let elements):
      writer.beginArray()
      for element in elements { element.write(to: &writer) }
      writer.endArray()
    case .object(let members):
      writer.beginObject()
      for member in members {
        writer.name(member.name)
        member.value.write(to: &writer)
      }
      writer.endObject()
    }
  }
}
