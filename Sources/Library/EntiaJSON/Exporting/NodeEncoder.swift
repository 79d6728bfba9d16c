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
