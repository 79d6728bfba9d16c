extension EntityIdentifier: Encodable where Entity.EntityIDRawType: Encodable {
  /// Encodes the raw value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(raw)
  }
}

extension EntityIdentifier: Decodable where Entity.EntityIDRawType: Decodable {
  /// Decodes the raw value.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    self.init(try container.decode(Entity.EntityIDRawType.self))
  }
}
