/// The members of an object.
struct SourceMembers<Source: DecodingSource, Key: CodingKey>: KeyedDecodingContainerProtocol {
  let source: SourceReference<Source>
  let object: Int

  var codingPath: [any CodingKey] { source.with { $0.codingPath(object) } }
  var allKeys: [Key] {
    source.with { $0.names(of: object).compactMap { Key(stringValue: $0) } }
  }

  func contains(_ key: Key) -> Bool {
    source.with { $0.hasMember(key.stringValue, of: object) }
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    try source.with { source in
      // The caller usually decodes the value next, as a type that is not known yet.
      if let node = source.member(key.stringValue, of: object, as: nil) {
        return source.isNull(node)
      }
      if source.hasMember(key.stringValue, of: object) { return false }
      throw missing(key, source)
    }
  }

  private func missing(_ key: any CodingKey, _ source: Source) -> DecodingError {
    DecodingError.keyNotFound(
      key,
      DecodingError.Context(
        codingPath: source.codingPath(object),
        debugDescription: source.missingMember(key.stringValue, of: object)))
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
    _ key: Key, _ body: (Source, Int) throws -> Value
  ) throws -> Value {
    try source.with { source in
      guard let node = source.member(key.stringValue, of: object, as: Value.self) else {
        return try substitute(key, Value.self, source)
      }
      return try body(source, node)
    }
  }

  @inline(never)
  private func substitute<Value>(
    _ key: Key, _ type: Value.Type, _ source: Source
  ) throws -> Value {
    if source.hasSubstitutes(object),
      let value = try source.substitute(type, for: key.stringValue, of: object)
    {
      return value
    }
    throw missing(key, source)
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
  // A generic function would not take precedence over these defaults.
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
    try readIfPresent(key) { try $0.integer($1) }
  }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
    try readIfPresent(key) { try $0.integer($1) }
  }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
    try readIfPresent(key) { try $0.integer($1) }
  }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    try readIfPresent(key) { try $0.integer($1) }
  }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
    try readIfPresent(key) { try $0.integer($1) }
  }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
    try readIfPresent(key) { try $0.integer($1) }
  }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
    try readIfPresent(key) { try $0.integer($1) }
  }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
    try readIfPresent(key) { try $0.integer($1) }
  }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
    try readIfPresent(key) { try $0.integer($1) }
  }

  @inline(__always)
  private func readIfPresent<Value>(
    _ key: Key, _ body: (Source, Int) throws -> Value
  ) throws -> Value? {
    try source.with { source in
      if let node = source.member(key.stringValue, of: object, as: Value.self) {
        return source.isNull(node) ? nil : try body(source, node)
      }
      guard source.hasSubstitutes(object) else { return nil }
      return try source.substitute(Value.self, for: key.stringValue, of: object)
    }
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try read(key) { try $0.decode(type, $1) }
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    try readIfPresent(key) { try $0.decode(type, $1) }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try part(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try part(key).unkeyedContainer()
  }

  private func part(_ key: Key) throws -> SourceDecoder<Source> {
    try source.with { SourceDecoder($0, try node(key, $0)) }
  }

  private func node(_ key: Key, _ source: Source) throws -> Int {
    guard let node = source.member(key.stringValue, of: object, as: Key.self) else {
      throw missing(key, source)
    }
    return node
  }

  func superDecoder() throws -> any Decoder {
    try source.with { source in
      guard let node = source.superNode(of: object) else {
        throw missing(NamedKey("super"), source)
      }
      return source.decoder(node)
    }
  }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    try source.with { $0.decoder(try node(key, $0)) }
  }
}
