/// Decodes the tables and held IDs that the container has, by their names.
struct PartDecoding<Contents: StorageContents>: HeldIDsVisitor {
  var contents: Contents
  let container: KeyedDecodingContainer<PartKey>
  var error: (any Error)?

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    decode(name, path, of: Table.Entity.entityName)
  }

  mutating func heldIDs<IDs: HeldIDs>(_ name: String, _ path: PartPath<Contents, IDs>) {
    decode(name, path, of: "the ID of \(IDs.Entity.entityName)")
  }

  private mutating func decode<Part>(
    _ name: String, _ path: PartPath<Contents, Part>, of content: String
  ) {
    guard error == nil, container.contains(PartKey(name)) else { return }
    do {
      guard let type = Part.self as? any Decodable.Type else {
        throw DecodingError.typeMismatch(
          Part.self,
          DecodingError.Context(
            codingPath: container.codingPath + [PartKey(name)],
            debugDescription: "\(content) is not Decodable"))
      }
      let decoded: Any = try container.decode(type, forKey: PartKey(name))
      if let part = decoded as? Part { contents[keyPath: path] = part }
    } catch {
      self.error = error
    }
  }
}
