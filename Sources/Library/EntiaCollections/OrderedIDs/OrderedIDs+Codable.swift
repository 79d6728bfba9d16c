extension OrderedIDs: Encodable where ID: Encodable {
  /// Encodes the IDs in the same way as an array.
  /// - Throws: The error of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(elements)
  }
}

extension OrderedIDs: Decodable where ID: Decodable {
  /// Decodes the IDs of an array.
  /// - Throws: The error of the decoder, and `DecodingError.dataCorrupted` for an ID that repeats.
  public init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    self.init()
    while !container.isAtEnd {
      let offset = container.currentIndex
      guard append(try container.decode(ID.self)).inserted else {
        throw DecodingError.dataCorrupted(
          DecodingError.Context(
            codingPath: container.codingPath, debugDescription: "Duplicate ID at offset \(offset)"))
      }
    }
  }
}
