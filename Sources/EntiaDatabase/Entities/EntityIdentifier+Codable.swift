extension EntityIdentifier: Encodable where Entity.EntityIDRawType: Encodable {
  /// Encodes the bare raw value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(raw)
  }
}

extension EntityIdentifier: Decodable where Entity.EntityIDRawType: Decodable {
  /// Decodes the bare raw value.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    self.init(try container.decode(Entity.EntityIDRawType.self))
  }
}

extension EntityIdentifier: CodingKeyRepresentable
where Entity.EntityIDRawType: CodingKeyRepresentable {
  /// The raw value's coding key, so that dictionaries keyed by ID are encoded as objects.
  public var codingKey: any CodingKey { raw.codingKey }

  /// Creates an ID from a coding key.
  public init?<Key: CodingKey>(codingKey: Key) {
    guard let raw = Entity.EntityIDRawType(codingKey: codingKey) else { return nil }
    self.init(raw)
  }
}
