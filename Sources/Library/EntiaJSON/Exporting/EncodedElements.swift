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
