/// A `Codable` of its own, in another file than the entity.
extension Label: Codable {
  init(from decoder: any Decoder) throws {
    slug = try decoder.singleValueContainer().decode(String.self)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(slug)
  }
}
