import EntiaCoding
public import EntiaDatabase
import Foundation

/// A reader of values of one type that does not use `Decodable`. The values are IDs, or entities
/// that are nested in the place of IDs.
final class NodeReader {
  /// The type of the values.
  let type: ObjectIdentifier
  /// The memory for one value.
  let value: UnsafeMutableRawPointer
  /// Reads the value at a node and writes it to the memory of `value`. The caller moves the value
  /// out before the next call. The closure does not return the value, because a generic return type
  /// would have to be looked up at run time for each value.
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

/// A decoder of entities of one type, by generated code or by their `Codable` conformance.
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
    func makeGenerated<Same: EntityType & RowCodable>(_ type: Same.Type) -> AnyObject {
      GeneratedEntityDecoder<Same>()
    }
    if let type = Entity.self as? any (EntityType & RowCodable).Type {
      return makeGenerated(type) as? EntityDecoder
    }
    guard let type = Entity.self as? any (EntityType & Decodable).Type else { return nil }
    return make(type) as? EntityDecoder
  }
}

private final class CodableEntityDecoder<Entity: EntityType & Decodable>: EntityDecoder<Entity> {
  override func decode(_ node: Int, _ run: DecodingRun) throws -> Entity {
    try Entity(from: SourceDecoder(run, node))
  }
}

private final class GeneratedEntityDecoder<Entity: EntityType & RowCodable>: EntityDecoder<Entity> {
  override func decode(_ node: Int, _ run: DecodingRun) throws -> Entity {
    try run.checkObject(node)
    var row = TapeRow(run, node)
    return try Entity(row: &row)
  }
}
