import Foundation

/// A decoder of one node of the tape.
struct NodeDecoder: Decoder {
  let run: DecodingRun
  let node: Int

  var codingPath: [any CodingKey] { run.codingPath(node) }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard run.tape.nodes[node].token == .beginObject else {
      throw run.tape.nodes[node].token == .null
        ? run.mismatch([String: Any].self, node) : notAnObject()
    }
    return KeyedDecodingContainer(NodeMembers(run: run, object: node))
  }

  private func notAnObject() -> DecodingError {
    .typeMismatch(
      [String: Any].self,
      DecodingError.Context(
        codingPath: codingPath,
        debugDescription: "expected an object, found \(run.tape.nodes[node].token.kindDescription)")
    )
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard run.tape.nodes[node].token == .beginArray else { throw run.noArray(node) }
    return NodeElements(run: run, array: node)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension NodeDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { run.tape.nodes[node].token == .null }
  func decode(_ type: Bool.Type) throws -> Bool { try run.bool(node) }
  func decode(_ type: String.Type) throws -> String { try run.string(node) }
  func decode(_ type: Double.Type) throws -> Double { try run.double(node) }
  func decode(_ type: Float.Type) throws -> Float { try run.float(node) }
  func decode(_ type: Int.Type) throws -> Int { try run.integer(node) }
  func decode(_ type: Int8.Type) throws -> Int8 { try run.integer(node) }
  func decode(_ type: Int16.Type) throws -> Int16 { try run.integer(node) }
  func decode(_ type: Int32.Type) throws -> Int32 { try run.integer(node) }
  func decode(_ type: Int64.Type) throws -> Int64 { try run.integer(node) }
  func decode(_ type: UInt.Type) throws -> UInt { try run.integer(node) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try run.integer(node) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try run.integer(node) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try run.integer(node) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try run.integer(node) }
  func decode<T: Decodable>(_ type: T.Type) throws -> T { try run.decode(type, node) }
}
