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

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try read(key, run.bool) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try read(key, run.string) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try read(key, run.double) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try read(key, run.float) }
  func decode<Value: FixedWidthInteger & Decodable>(
    _ type: Value.Type, forKey key: Key
  ) throws -> Value { try read(key, run.integer) }

  @inline(__always)
  private func read<Value>(_ key: Key, _ body: (Int) throws -> Value) throws -> Value {
    guard let node = find(key, Value.self) else { return try missing(key, Value.self) }
    return try body(node)
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
