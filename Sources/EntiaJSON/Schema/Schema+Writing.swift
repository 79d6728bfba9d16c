extension Schema {
  /// Gives the schema as JSON that ``parse(_:file:)`` reads: a line an entity, sorted by name.
  ///
  /// - Complexity: O(size of the schema), and sorting.
  public func bytes() -> [UInt8] {
    var writer = JSONWriter(layout: .lines(depth: 2))
    write(to: &writer)
    writer.endLine()
    return writer.bytes
  }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("entities")
    writer.beginObject()
    for entity in entities {
      writer.name(entity.name)
      writer.beginObject()
      writer.name("id")
      writer.string(entity.idName)
      let relationships = entity.relationships
      if !relationships.isEmpty {
        writer.name("relationships")
        writer.beginObject()
        for relationship in relationships {
          writer.name(relationship.name)
          writer.beginObject()
          writer.name("to")
          writer.string(relationship.target)
          if relationship.isMany {
            writer.name("many")
            writer.bool(true)
          }
          writer.endObject()
        }
        writer.endObject()
      }
      writer.endObject()
    }
    writer.endObject()
    writer.endObject()
  }
}
