import EntiaCoding
import Foundation

/// A decoder of one node of the tape.
///
/// It retains the state of the import, because a type may store its decoder.
struct NodeDecoder: Decoder {
  let run: DecodingRun
  let node: Int

  var codingPath: [any CodingKey] { run.codingPath(node) }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    let token = run.tape.nodes[node].token
    guard token == .beginObject else {
      throw token == .null
        ? run.mismatch([String: Any].self, node)
        : run.mismatch([String: Any].self, node, "expected an object")
    }
    return KeyedDecodingContainer(NodeMembers(run: RunReference(run), object: node))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard run.tape.nodes[node].token == .beginArray else {
      throw run.mismatch([Any].self, node, "expected an array")
    }
    return NodeElements(run: RunReference(run), array: node)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension NodeDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { run.tape.nodes[node].token == .null }
  func decode(_ type: Bool.Type) throws -> Bool { try run.bool(node) }
  func decode(_ type: String.Type) throws -> String { try run.string(node) }
  func decode(_ type: Double.Type) throws -> Double { try run.double(node) }
  func decode(_ type: Float.Type) throws -> Float { try run.float(node) }
  func decode(_ type: Int.Type) throws -> Int { try run.int(node) }
  func decode<Value: FixedWidthInteger & Decodable>(_ type: Value.Type) throws -> Value {
    try run.integer(node)
  }
  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try run.decode(type, node)
  }
}
