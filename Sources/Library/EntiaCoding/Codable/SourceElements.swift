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

  /// Reads the next element. If reading fails, it remains the next element.
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
