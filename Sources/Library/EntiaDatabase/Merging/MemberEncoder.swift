/// An encoder that creates nodes in memory and stores values in them unconverted.
struct MemberEncoder: Encoder {
  let node: MemberNode
  let codingPath: [any CodingKey]

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if case .object = node.content {} else { node.content = .object([:]) }
    return KeyedEncodingContainer(Members(node: node, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if case .list = node.content {} else { node.content = .list([]) }
    return Elements(node: node, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension MemberEncoder: SingleValueEncodingContainer {
  func encodeNil() { node.content = .null }
  func encode<Value: Encodable>(_ value: Value) { node.content = .value(value) }
}

extension MemberEncoder {
  /// Encodes the members of an object.
  private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: MemberNode
    let codingPath: [any CodingKey]

    func encodeNil(forKey key: Key) { node.set(key.stringValue, MemberNode(.null)) }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) {
      node.set(key.stringValue, MemberNode(.value(value)))
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> { encoder(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      encoder(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder(MemberKey(stringValue: "super")) }
    func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }

    private func encoder(_ key: any CodingKey) -> MemberEncoder {
      var member: MemberNode?
      // A container may be requested again, to add to it.
      if case .object(let members) = node.content { member = members[key.stringValue] }
      let node = member ?? MemberNode()
      if member == nil { self.node.set(key.stringValue, node) }
      return MemberEncoder(node: node, codingPath: codingPath + [key])
    }
  }

  /// Encodes the elements of a list.
  private struct Elements: UnkeyedEncodingContainer {
    let node: MemberNode
    let codingPath: [any CodingKey]

    var count: Int { if case .list(let elements) = node.content { elements.count } else { 0 } }

    func encodeNil() { node.append(MemberNode(.null)) }
    func encode<Value: Encodable>(_ value: Value) { node.append(MemberNode(.value(value))) }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type
    ) -> KeyedEncodingContainer<Nested> { encoder().container(keyedBy: type) }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder().unkeyedContainer() }
    func superEncoder() -> any Encoder { encoder() }

    private func encoder() -> MemberEncoder {
      let element = MemberNode()
      let path = codingPath + [MemberKey(count)]
      node.append(element)
      return MemberEncoder(node: element, codingPath: path)
    }
  }
}

/// A coding key of any name or position.
struct MemberKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(_ position: Int) { (stringValue, intValue) = ("Index \(position)", position) }
  init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
  init(intValue: Int) { self.init(intValue) }
}
