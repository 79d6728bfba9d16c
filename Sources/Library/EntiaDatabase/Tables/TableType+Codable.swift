extension TableType where Entity: Encodable {
  /// Encodes the entities as an array, in their order.
  /// - Throws: The error that encoding an entity throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for entity in self { try container.encode(entity) }
  }
}

extension TableType where Entity: Decodable {
  /// Decodes an array of entities.
  /// - Throws: `DecodingError.dataCorrupted` when two entities have the same ID, and the error
  ///   that decoding an entity throws. The error for a missing member describes how to give it a
  ///   default.
  public init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    self.init()
    while !container.isAtEnd {
      let index = container.currentIndex
      let entity: Entity
      do {
        entity = try container.decode(Entity.self)
      } catch let DecodingError.keyNotFound(key, context)
        where context.codingPath.count == container.codingPath.count + 1
      {
        throw Self.missing(key, context)
      }
      guard !contains(entity.entityID) else {
        throw DecodingError.dataCorrupted(
          DecodingError.Context(
            codingPath: container.codingPath + [PartKey("Index \(index)")],
            debugDescription: "\(EntityLabel(entity.entityID)) is there twice"))
      }
      insert(entity)
    }
  }

  /// Returns the error for a missing member, as in a file that is older than the member.
  private static func missing(
    _ key: any CodingKey, _ context: DecodingError.Context
  ) -> DecodingError {
    let name = key.stringValue
    return .keyNotFound(
      key,
      DecodingError.Context(
        codingPath: context.codingPath,
        debugDescription: """
          \(Entity.entityName) has no member \(name). Where files may lack it, write \
          init(from:) of \(Entity.self) and give it a default: \
          \(name) = try container.decodeIfPresent(…, forKey: .\(name)) ?? …
          """, underlyingError: context.underlyingError))
  }
}

extension Tables.Hash: Encodable where Entity: Encodable {}
extension Tables.Hash: Decodable where Entity: Decodable {}
extension Tables.Ordered: Encodable where Entity: Encodable {}
extension Tables.Ordered: Decodable where Entity: Decodable {}
