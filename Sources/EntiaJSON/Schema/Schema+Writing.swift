extension Schema {
  /// Returns the schema as JSON that ``parse(_:file:)`` reads: one line for each entity, sorted by
  /// name.
  ///
  /// - Complexity: O(size of the schema), plus sorting.
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
      if entity.hasCompositeID {
        writer.beginArray()
        for name in entity.idNames { writer.string(name) }
        writer.endArray()
      } else {
        writer.string(entity.idName)
      }
      if entity.takesIDFromParent {
        writer.name("idFromParent")
        writer.bool(true)
      }
      let relationships = entity.relationships
      if !relationships.isEmpty {
        writer.name("relationships")
        writer.beginObject()
        for relationship in relationships {
          writer.name(relationship.name)
          relationship.write(to: &writer)
        }
        writer.endObject()
      }
      if !entity.membersByAlias.isEmpty {
        writer.name("aliases")
        writer.beginObject()
        for (alias, member) in entity.aliases {
          writer.name(alias)
          writer.string(member)
        }
        writer.endObject()
      }
      writer.endObject()
    }
    writer.endObject()
    writer.endObject()
  }
}
