import EntiaCoding
public import EntiaDatabase
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

/// A special reader of values of one type that bypasses `Decodable`. It reads IDs, or entities that
/// are nested in the place of IDs.
final class NodeReader {
  /// The type of the values.
  let type: ObjectIdentifier
  /// The memory for one value.
  let value: UnsafeMutableRawPointer
  /// Reads the value at a node into the memory, whose content is moved out before the next call.
  /// The signature is free of the type, which would have to be looked up for each value.
  let read: (Int, DecodingRun) throws -> Void

  init(
    _ type: ObjectIdentifier, _ value: UnsafeMutableRawPointer,
    _ read: @escaping (Int, DecodingRun) throws -> Void
  ) {
    self.type = type
    self.value = value
    self.read = read
  }

  deinit { value.deallocate() }
}

/// A decoder of entities of one type by their `Codable` conformance.
@usableFromInline
class EntityDecoder<Entity: EntityType> {
  /// Decodes the entity at a node.
  @usableFromInline
  func decode(_ node: Int, _ run: DecodingRun) throws -> Entity {
    throw run.mismatch(Entity.self, node)
  }

  /// Returns a decoder, or nil if the entity cannot be decoded.
  @usableFromInline
  static func make() -> EntityDecoder? {
    func make<Same: EntityType & Decodable>(_ type: Same.Type) -> AnyObject {
      CodableEntityDecoder<Same>()
    }
    guard let type = Entity.self as? any (EntityType & Decodable).Type else { return nil }
    return make(type) as? EntityDecoder
  }
}

private final class CodableEntityDecoder<Entity: EntityType & Decodable>: EntityDecoder<Entity> {
  override func decode(_ node: Int, _ run: DecodingRun) throws -> Entity {
    try Entity(from: NodeDecoder(run: run, node: node))
  }
}

/// A reference to the state of an import, as a container has it.
///
/// Counting references at each member of an entity takes longer than reading the member. The state
/// is therefore used without counting, and retained only for a container that a type stores.
struct RunReference {
  private let run: Unmanaged<DecodingRun>
  private let owner: DecodingRun

  init(_ run: DecodingRun) {
    self.run = Unmanaged.passUnretained(run)
    owner = run
  }

  /// Calls the closure with the state, which is neither retained nor released.
  @inline(__always)
  func with<Result>(_ body: (DecodingRun) throws -> Result) rethrows -> Result {
    try run._withUnsafeGuaranteedRef(body)
  }
}
