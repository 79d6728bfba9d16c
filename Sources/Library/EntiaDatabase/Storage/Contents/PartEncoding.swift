/// Encodes tables and held IDs under their names.
struct PartEncoding<Contents: StorageContents>: HeldIDsVisitor {
  let contents: Contents
  var container: KeyedEncodingContainer<PartKey>
  var error: (any Error)?

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    encode(contents[keyPath: path], name, of: Table.Entity.entityName)
  }

  mutating func heldIDs<IDs: HeldIDs>(_ name: String, _ path: PartPath<Contents, IDs>) {
    encode(contents[keyPath: path], name, of: "the ID of \(IDs.Entity.entityName)")
  }

  private mutating func encode<Part>(_ part: Part, _ name: String, of content: String) {
    guard error == nil else { return }
    do {
      guard let encodable = part as? any Encodable else {
        throw EncodingError.invalidValue(
          part,
          EncodingError.Context(
            codingPath: container.codingPath + [PartKey(name)],
            debugDescription: "\(content) is not Encodable"))
      }
      try container.encode(encodable, forKey: PartKey(name))
    } catch {
      self.error = error
    }
  }
}
