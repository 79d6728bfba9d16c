import EntiaCoding

/// The members of an object.
struct NodeMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let run: RunReference
  let object: Int

  var codingPath: [any CodingKey] { run.with { $0.codingPath(object) } }

  var allKeys: [Key] {
    run.with { run in
      var keys: [Key] = []
      var index = object + 1
      while index < run.tape.nodes[object].next {
        if let key = Key(stringValue: run.text(index)) { keys.append(key) }
        index = run.tape.nodes[index + 1].next
      }
      return keys
    }
  }

  func contains(_ key: Key) -> Bool {
    run.with { run in
      run.find(object, key.stringValue) { false } != nil
        || run.hasDefault(key.stringValue, in: object)
    }
  }

  @inline(__always)
  private func find(_ key: Key, _ type: Any.Type, _ run: DecodingRun) -> Int? {
    let name = key.stringValue
    let next = run.nextMember(object, name)
    return next >= 0 ? next : search(name, type, run)
  }

  @inline(never)
  private func search(_ name: String, _ type: Any.Type, _ run: DecodingRun) -> Int? {
    run.member(object, name) { run.isReference(type) }
  }

  /// Returns the default of a missing member.
  private func missing<Value>(_ key: Key, _ type: Value.Type, _ run: DecodingRun) throws -> Value {
    if let value = try run.defaultValue(type, key.stringValue, in: object) { return value }
    throw notFound(key)
  }

  private func notFound(_ key: Key) -> DecodingError {
    DecodingError.keyNotFound(
      key,
      DecodingError.Context(
        codingPath: codingPath,
        debugDescription: run.with { $0.tape.nodes.contains(object) }
          ? "there is no \(key.stringValue.quoted)" : DecodingRun.ended))
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    try run.with { run in
      // The caller usually decodes the value next, so that a reference is found under either name.
      guard let node = run.member(object, key.stringValue, isReference: { true }) else {
        if run.hasDefault(key.stringValue, in: object) { return false }
        throw notFound(key)
      }
      return run.tape.nodes[node].token == .null
    }
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try read(key) { try $0.bool($1) }
  }
  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try read(key) { try $0.string($1) }
  }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try read(key) { try $0.double($1) }
  }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    try read(key) { try $0.float($1) }
  }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try read(key) { try $0.int($1) } }
  func decode<Value: FixedWidthInteger & Decodable>(
    _ type: Value.Type, forKey key: Key
  ) throws -> Value { try read(key) { try $0.integer($1) } }

  @inline(__always)
  private func read<Value>(
    _ key: Key, _ body: (DecodingRun, Int) throws -> Value
  ) throws -> Value {
    try run.with { run in
      guard let node = find(key, Value.self, run) else {
        return try missing(key, Value.self, run)
      }
      return try body(run, node)
    }
  }

  // The standard library's defaults look up an optional member three times.
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try readIfPresent(key) { try $0.bool($1) }
  }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try readIfPresent(key) { try $0.string($1) }
  }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try readIfPresent(key) { try $0.double($1) }
  }
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
    try readIfPresent(key) { try $0.float($1) }
  }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try readIfPresent(key) { try $0.int($1) }
  }
  func decodeIfPresent<Value: FixedWidthInteger & Decodable>(
    _ type: Value.Type, forKey key: Key
  ) throws -> Value? { try readIfPresent(key) { try $0.integer($1) } }

  @inline(__always)
  private func readIfPresent<Value>(
    _ key: Key, _ body: (DecodingRun, Int) throws -> Value
  ) throws -> Value? {
    try run.with { run in
      guard let node = find(key, Value.self, run) else {
        return try run.defaultValue(Value.self, key.stringValue, in: object)
      }
      return run.tape.nodes[node].token == .null ? nil : try body(run, node)
    }
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try run.with { run in
      let node = find(key, type, run)
      if let node, run.tape.nodes[node].token != .null { return try run.decode(type, node) }
      return try absent(key, type, node, run)
    }
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    try run.with { run in
      let node = find(key, type, run)
      if let node, run.tape.nodes[node].token != .null { return try run.decode(type, node) }
      if let parentKey = run.parentKey(type, key.stringValue, in: object) { return parentKey }
      return node == nil ? try run.defaultValue(type, key.stringValue, in: object) : nil
    }
  }

  /// Returns the value of a member that is missing or `null`.
  // A function of its own, because the types of its optional values are looked up in each call.
  @inline(never)
  private func absent<T: Decodable>(
    _ key: Key, _ type: T.Type, _ node: Int?, _ run: DecodingRun
  ) throws -> T {
    if let parentKey = run.parentKey(type, key.stringValue, in: object) { return parentKey }
    guard let node else { return try missing(key, type, run) }
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
    run.with { run in
      NodeDecoder(run: run, node: run.member(object, "super", isReference: { false }) ?? object)
    }
  }

  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

  private func decoder(_ key: Key) throws -> NodeDecoder {
    try run.with { run in
      guard let node = find(key, Key.self, run) else { throw notFound(key) }
      return NodeDecoder(run: run, node: node)
    }
  }
}
