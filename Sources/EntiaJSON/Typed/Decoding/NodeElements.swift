/// The elements of an array.
struct NodeElements: UnkeyedDecodingContainer {
  let run: DecodingRun
  let array: Int
  private(set) var currentIndex = 0
  private var node: Int

  init(run: DecodingRun, array: Int) {
    self.run = run
    self.array = array
    node = array + 1
  }

  var codingPath: [any CodingKey] { run.codingPath(array) }
  var isAtEnd: Bool { node >= run.tape.nodes[array].next }
  var count: Int? {
    var count = 0
    var index = array + 1
    while index < run.tape.nodes[array].next {
      index = run.tape.nodes[index].next
      count += 1
    }
    return count
  }

  /// Reads the next element. If reading fails, it remains the next element.
  private mutating func read<Value>(_ body: (Int) throws -> Value) throws -> Value {
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        Value.self,
        DecodingError.Context(
          codingPath: codingPath + [NodeKey(currentIndex)],
          debugDescription: "the array has no more elements"))
    }
    let value = try body(node)
    node = run.tape.nodes[node].next
    currentIndex += 1
    return value
  }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, run.tape.nodes[node].token == .null else { return false }
    return try read { _ in true }
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool { try read(run.bool) }
  mutating func decode(_ type: String.Type) throws -> String { try read(run.string) }
  mutating func decode(_ type: Double.Type) throws -> Double { try read(run.double) }
  mutating func decode(_ type: Float.Type) throws -> Float { try read(run.float) }
  mutating func decode<Value: FixedWidthInteger & Decodable>(
    _ type: Value.Type
  ) throws -> Value { try read(run.integer) }
  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try read { [run] node in try run.decode(type, node) }
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
    try read { [run] node in NodeDecoder(run: run, node: node) }
  }
}
