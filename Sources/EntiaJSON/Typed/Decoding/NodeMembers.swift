/// The members of an object.
struct NodeMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let run: DecodingRun
  let object: Int

  var codingPath: [any CodingKey] { run.codingPath(object) }

  var allKeys: [Key] {
    var keys: [Key] = []
    var index = object + 1
    while index < run.tape.nodes[object].next {
      if let key = Key(stringValue: run.text(index)) { keys.append(key) }
      index = run.tape.nodes[index + 1].next
    }
    return keys
  }

  func contains(_ key: Key) -> Bool {
    run.find(object, key.stringValue) { false } != nil
      || run.hasDefault(key.stringValue, in: object)
  }

  @inline(__always)
  private func find(_ key: Key, _ type: Any.Type) -> Int? {
    run.member(object, key.stringValue) { run.isReference(type) }
  }

  private func node(_ key: Key, _ type: Any.Type) throws -> Int {
    if let node = find(key, type) { return node }
    throw notFound(key)
  }

  /// Returns the default of a missing member.
  private func missing<Value>(_ key: Key, _ type: Value.Type) throws -> Value {
    if let value = try run.defaultValue(type, key.stringValue, in: object) { return value }
    throw notFound(key)
  }

  private func notFound(_ key: Key) -> DecodingError {
    DecodingError.keyNotFound(
      key,
      DecodingError.Context(
        codingPath: codingPath, debugDescription: "there is no \(key.stringValue.quoted)"))
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    // The caller usually decodes the value next, so that a reference is found under either name.
    guard let node = run.member(object, key.stringValue, isReference: { true }) else {
      if run.hasDefault(key.stringValue, in: object) { return false }
      throw notFound(key)
    }
    return run.tape.nodes[node].token == .null
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    guard let node = find(key, type) else { return try missing(key, type) }
    return try run.bool(node)
  }

  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    guard let node = find(key, type) else { return try missing(key, type) }
    return try run.string(node)
  }

  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    guard let node = find(key, type) else { return try missing(key, type) }
    return try run.double(node)
  }

  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    guard let node = find(key, type) else { return try missing(key, type) }
    return try run.float(node)
  }

  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try integer(key) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try integer(key) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try integer(key) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try integer(key) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try integer(key) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try integer(key) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try integer(key) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try integer(key) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try integer(key) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try integer(key) }

  private func integer<Value: FixedWidthInteger>(_ key: Key) throws -> Value {
    guard let node = find(key, Value.self) else { return try missing(key, Value.self) }
    return try run.integer(node)
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    let node = find(key, type)
    guard let node, run.tape.nodes[node].token != .null else {
      if let parentKey = run.parentKey(type, key.stringValue, in: object) { return parentKey }
      guard let node else { return try missing(key, type) }
      return try run.decode(type, node)
    }
    return try run.decode(type, node)
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    let node = find(key, type)
    guard let node, run.tape.nodes[node].token != .null else {
      if let parentKey = run.parentKey(type, key.stringValue, in: object) { return parentKey }
      return node == nil ? try run.defaultValue(type, key.stringValue, in: object) : nil
    }
    return try run.decode(type, node)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try decoder(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder {
    guard let node = run.member(object, "super", isReference: { false }) else {
      return NodeDecoder(run: run, node: object)
    }
    return NodeDecoder(run: run, node: node)
  }

  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

  private func decoder(_ key: Key) throws -> NodeDecoder {
    NodeDecoder(run: run, node: try node(key, Key.self))
  }
}
