extension IdentifiedArray: Encodable where Element: Encodable {
  /// Encodes the elements in the same way as an array.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(elements)
  }
}

extension IdentifiedArray: Decodable
where Element: Decodable & Identifiable, ID == Element.ID {
  /// Decodes the elements of an array.
  /// - Throws: The error of the decoder, and `DecodingError.dataCorrupted` if an element has the ID
  ///   of an earlier one.
  public init(from decoder: any Decoder) throws {
    self.init()
    var container = try decoder.unkeyedContainer()
    var builder = OrderedTableBuilder<Layout>()
    while !container.isAtEnd {
      let offset = container.currentIndex
      guard builder.appendIfNew(entry(try container.decode(Element.self))) == nil else {
        throw DecodingError.dataCorrupted(
          DecodingError.Context(
            codingPath: container.codingPath,
            debugDescription: "Duplicate element at offset \(offset)"))
      }
    }
    replaceTable(by: builder.finish())
  }
}
