extension TableType where Entity: Encodable {
  /// Encodes the entities as an array, in their order.
  /// - Throws: what encoding an entity throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for entity in self { try container.encode(entity) }
  }
}

extension TableType where Entity: Decodable {
  /// Decodes an array of entities.
  /// - Throws: `DecodingError.dataCorrupted` when two entities have one ID, and what decoding an
  ///   entity throws.
  public init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    self.init()
    while !container.isAtEnd {
      let index = container.currentIndex
      let entity = try container.decode(Entity.self)
      guard !contains(entity.entityID) else {
        throw DecodingError.dataCorrupted(
          DecodingError.Context(
            codingPath: container.codingPath + [PartKey("Index \(index)")],
            debugDescription: "\(EntityLabel(entity.entityID)) is there twice"))
      }
      insert(entity)
    }
  }
}

extension Tables.Hash: Encodable where Entity: Encodable {}
extension Tables.Hash: Decodable where Entity: Decodable {}
extension Tables.Ordered: Encodable where Entity: Encodable {}
extension Tables.Ordered: Decodable where Entity: Decodable {}
