/// The decoder of all formats.
///
/// It retains the document, because a type may store its decoder.
package struct SourceDecoder<Source: DecodingSource>: Decoder {
  private let source: Source
  private let node: Int

  /// Creates a decoder of one value.
  package init(_ source: Source, _ node: Int) { (self.source, self.node) = (source, node) }

  package var codingPath: [any CodingKey] { source.codingPath(node) }
  package var userInfo: [CodingUserInfoKey: Any] { [:] }

  package func container<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    if let other = try source.otherDecoder(node, as: [String: Any].self) {
      return try other.container(keyedBy: type)
    }
    try source.checkObject(node)
    return KeyedDecodingContainer(
      SourceMembers(source: SourceReference(source), object: node))
  }

  package func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    if let other = try source.otherDecoder(node, as: [Any].self) {
      return try other.unkeyedContainer()
    }
    let elements = try source.elements(of: node)
    return SourceElements(source: SourceReference(source), array: node, elements: elements)
  }

  package func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension SourceDecoder: SingleValueDecodingContainer {
  package func decodeNil() -> Bool { source.isNull(node) }
  package func decode(_ type: Bool.Type) throws -> Bool { try source.bool(node) }
  package func decode(_ type: String.Type) throws -> String { try source.string(node) }
  package func decode(_ type: Double.Type) throws -> Double { try source.double(node) }
  package func decode(_ type: Float.Type) throws -> Float { try source.float(node) }
  package func decode(_ type: Int.Type) throws -> Int { try source.int(node) }
  package func decode<Value: FixedWidthInteger & Decodable>(_ type: Value.Type) throws -> Value {
    try source.integer(node)
  }
  package func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try source.decode(type, node)
  }
}

/// A container's reference to its document.
///
/// Counting references at each member of a row takes longer than reading the member, so `with(_:)`
/// uses the document without counting. `owner` keeps the document alive, because a type may store
/// the container.
struct SourceReference<Source: DecodingSource> {
  private let source: Unmanaged<Source>
  private let owner: Source

  init(_ source: Source) {
    self.source = Unmanaged.passUnretained(source)
    owner = source
  }

  /// Calls the closure with the document, which is neither retained nor released.
  @inline(__always)
  func with<Result>(_ body: (Source) throws -> Result) rethrows -> Result {
    try source._withUnsafeGuaranteedRef(body)
  }
}

/// The elements of an array.
struct SourceElements<Source: DecodingSource>: UnkeyedDecodingContainer {
  private let source: SourceReference<Source>
  private let array: Int
  private let elements: Range<Int>
  private var node: Int
  private(set) var currentIndex = 0

  init(source: SourceReference<Source>, array: Int, elements: Range<Int>) {
    self.source = source
    self.array = array
    self.elements = elements
    node = elements.lowerBound
  }

  var codingPath: [any CodingKey] { source.with { $0.codingPath(array) } }
  var isAtEnd: Bool { node >= elements.upperBound }
  var count: Int? {
    source.with { source in
      var count = 0
      var node = elements.lowerBound
      while node < elements.upperBound {
        node = source.node(after: node)
        count += 1
      }
      return count
    }
  }

  /// Reads the next element. An element that cannot be read remains the next element.
  private mutating func read<Value>(_ body: (Source, Int) throws -> Value) throws -> Value {
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        Value.self,
        DecodingError.Context(
          codingPath: codingPath + [NamedKey(currentIndex)],
          debugDescription: "the array has no more elements"))
    }
    let node = node
    let (value, next) = try source.with { (try body($0, node), $0.node(after: node)) }
    self.node = next
    currentIndex += 1
    return value
  }

  mutating func decodeNil() throws -> Bool {
    let node = node
    guard !isAtEnd, source.with({ $0.isNull(node) }) else { return false }
    return try read { _, _ in true }
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool { try read { try $0.bool($1) } }
  mutating func decode(_ type: String.Type) throws -> String { try read { try $0.string($1) } }
  mutating func decode(_ type: Double.Type) throws -> Double { try read { try $0.double($1) } }
  mutating func decode(_ type: Float.Type) throws -> Float { try read { try $0.float($1) } }
  mutating func decode(_ type: Int.Type) throws -> Int { try read { try $0.int($1) } }
  mutating func decode<Value: FixedWidthInteger & Decodable>(
    _ type: Value.Type
  ) throws -> Value { try read { try $0.integer($1) } }
  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try read { try $0.decode(type, $1) }
  }

  mutating func nestedContainer<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    try read { try SourceDecoder($0, $1).container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try read { try SourceDecoder($0, $1).unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder { try read { $0.decoder($1) } }
}

/// A coding key with any name or index.
package struct NamedKey: CodingKey {
  package let stringValue: String
  package let intValue: Int?

  /// Creates the key of a member.
  package init(_ name: String) { (stringValue, intValue) = (name, nil) }

  /// Creates the key of an element.
  package init(_ index: Int) { (stringValue, intValue) = ("Index \(index)", index) }

  package init(stringValue: String) { self.init(stringValue) }
  package init(intValue: Int) { self.init(intValue) }
}

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
      // The type of the value is not known yet: the caller usually decodes the value after this
      // call.
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
  // Each integer type has a method of its own, because the standard library has a default
  // implementation for each of these types. A generic method would not replace the default
  // implementations.
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
    guard let node = source.member(key.stringValue, of: object, as: nil) else {
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
