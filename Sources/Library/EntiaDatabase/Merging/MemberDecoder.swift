import EntiaCoding

/// A decoder of the nodes that ``MemberDestination`` creates.
struct MemberDecoder: Decoder {
  let node: MemberNode
  var codingPath: [any CodingKey] = []

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard let members = try node.members() else { throw mismatch([String: Any].self) }
    return KeyedDecodingContainer(Members(members: members, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = try node.expanded() else { throw mismatch([Any].self) }
    return Elements(elements: elements, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  private func mismatch(_ type: Any.Type) -> DecodingError {
    .typeMismatch(
      type, DecodingError.Context(codingPath: codingPath, debugDescription: "not a \(type)"))
  }
}

extension MemberDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { node.isNull }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if case .leaf(.value(let value)) = node.content, let same = value as? Value { return same }
    return try Value(from: self)
  }

  func decode(_ type: Bool.Type) throws -> Bool { try scalar(type) }
  func decode(_ type: String.Type) throws -> String { try scalar(type) }
  func decode(_ type: Double.Type) throws -> Double { try floatingPoint(type) }
  func decode(_ type: Float.Type) throws -> Float { try floatingPoint(type) }
  func decode(_ type: Int.Type) throws -> Int { try integer(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }

  private func scalar<Value>(_ type: Value.Type) throws -> Value {
    guard case .leaf(.value(let value)) = try node.expanded(), let same = value as? Value else {
      throw mismatch(type)
    }
    return same
  }

  private func integer<Value: FixedWidthInteger>(_ type: Value.Type) throws -> Value {
    guard case .leaf(.value(let value)) = try node.expanded() else { throw mismatch(type) }
    if let same = value as? Value { return same }
    guard let number = value as? any BinaryInteger, let exact = Value(exactly: number) else {
      throw mismatch(type)
    }
    return exact
  }

  private func floatingPoint<Value: BinaryFloatingPoint>(_ type: Value.Type) throws -> Value {
    guard case .leaf(.value(let value)) = try node.expanded() else { throw mismatch(type) }
    if let same = value as? Value { return same }
    if let number = value as? any BinaryInteger, let exact = Value(exactly: number) { return exact }
    func exact<Number: BinaryFloatingPoint>(_ number: Number) -> Value? { Value(exactly: number) }
    guard let number = value as? any BinaryFloatingPoint, let exact = exact(number) else {
      throw mismatch(type)
    }
    return exact
  }
}

extension MemberDecoder {
  /// Decodes the members of an object.
  private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: [String: MemberNode]
    let codingPath: [any CodingKey]

    var allKeys: [Key] { members.keys.sorted().compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).decodeNil() }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      try decoder(key).decode(type)
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { try decoder(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      try decoder(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try decoder(NamedKey("super")) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

    private func decoder(_ key: any CodingKey) throws -> MemberDecoder {
      guard let member = members[key.stringValue] else {
        throw DecodingError.keyNotFound(
          key, DecodingError.Context(codingPath: codingPath, debugDescription: "not encoded"))
      }
      return MemberDecoder(node: member, codingPath: codingPath + [key])
    }
  }

  /// Decodes the elements of a list.
  private struct Elements: UnkeyedDecodingContainer {
    let elements: [MemberNode]
    let codingPath: [any CodingKey]
    private(set) var currentIndex = 0

    init(elements: [MemberNode], codingPath: [any CodingKey]) {
      self.elements = elements
      self.codingPath = codingPath
    }

    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    mutating func decodeNil() throws -> Bool {
      guard try decoder().decodeNil() else { return false }
      currentIndex += 1
      return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      let value = try decoder().decode(type)
      currentIndex += 1
      return value
    }

    mutating func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
      try superDecoder().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
      try superDecoder().unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder {
      let decoder = try decoder()
      currentIndex += 1
      return decoder
    }

    private func decoder() throws -> MemberDecoder {
      guard !isAtEnd else {
        throw DecodingError.valueNotFound(
          Any.self, DecodingError.Context(codingPath: codingPath, debugDescription: "at the end"))
      }
      return MemberDecoder(
        node: elements[currentIndex], codingPath: codingPath + [NamedKey(currentIndex)])
    }
  }
}
