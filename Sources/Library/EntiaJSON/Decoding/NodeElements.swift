import EntiaCoding

/// The elements of an array.
struct NodeElements: UnkeyedDecodingContainer {
  let run: RunReference
  let array: Int
  private(set) var currentIndex = 0
  private var node: Int

  init(run: RunReference, array: Int) {
    self.run = run
    self.array = array
    node = array + 1
  }

  var codingPath: [any CodingKey] { run.with { $0.codingPath(array) } }
  var isAtEnd: Bool { run.with { node >= $0.tape.nodes[array].next } }
  var count: Int? {
    run.with { run in
      var count = 0
      var index = array + 1
      while index < run.tape.nodes[array].next {
        index = run.tape.nodes[index].next
        count += 1
      }
      return count
    }
  }

  /// Reads the next element. If reading fails, it remains the next element.
  private mutating func read<Value>(_ body: (DecodingRun, Int) throws -> Value) throws -> Value {
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        Value.self,
        DecodingError.Context(
          codingPath: codingPath + [NamedKey(currentIndex)],
          debugDescription: "the array has no more elements"))
    }
    let node = node
    let (value, next) = try run.with { (try body($0, node), $0.tape.nodes[node].next) }
    self.node = next
    currentIndex += 1
    return value
  }

  mutating func decodeNil() throws -> Bool {
    let node = node
    guard !isAtEnd, run.with({ $0.tape.nodes[node].token == .null }) else { return false }
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
  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try read { try $0.decode(type, $1) }
  }

  mutating func nestedContainer<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    try superDecoder().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try superDecoder().unkeyedContainer()
  }

  mutating func superDecoder() throws -> any Decoder {
    try read { NodeDecoder(run: $0, node: $1) }
  }
}
