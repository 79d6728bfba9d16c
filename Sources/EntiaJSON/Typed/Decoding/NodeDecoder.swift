import Foundation

/// A decoder of one node of the tape.
struct NodeDecoder: Decoder {
  let run: RunReference
  let node: Int

  init(run: DecodingRun, node: Int) { self.init(run: RunReference(run), node: node) }

  init(run: RunReference, node: Int) {
    self.run = run
    self.node = node
  }

  var codingPath: [any CodingKey] { run.with { $0.codingPath(node) } }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    try run.with { run in
      let token = run.tape.nodes[node].token
      guard token == .beginObject else {
        throw token == .null
          ? run.mismatch([String: Any].self, node)
          : run.mismatch([String: Any].self, node, "expected an object")
      }
    }
    return KeyedDecodingContainer(NodeMembers(run: run, object: node))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try run.with { run in
      guard run.tape.nodes[node].token == .beginArray else {
        throw run.mismatch([Any].self, node, "expected an array")
      }
    }
    return NodeElements(run: run, array: node)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension NodeDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { run.with { $0.tape.nodes[node].token == .null } }
  func decode(_ type: Bool.Type) throws -> Bool { try run.with { try $0.bool(node) } }
  func decode(_ type: String.Type) throws -> String { try run.with { try $0.string(node) } }
  func decode(_ type: Double.Type) throws -> Double { try run.with { try $0.double(node) } }
  func decode(_ type: Float.Type) throws -> Float { try run.with { try $0.float(node) } }
  func decode(_ type: Int.Type) throws -> Int { try run.with { try $0.int(node) } }
  func decode<Value: FixedWidthInteger & Decodable>(_ type: Value.Type) throws -> Value {
    try run.with { try $0.integer(node) }
  }
  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try run.with { try $0.decode(type, node) }
  }
}
