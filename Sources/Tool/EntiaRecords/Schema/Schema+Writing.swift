import EntiaCoding

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
    writer.object { writer in
      writer.object("entities") { writer in
        for entity in entities { writer.object(entity.name) { entity.write(to: &$0) } }
      }
    }
  }
}

extension Schema.Entity {
  fileprivate func write(to writer: inout JSONWriter) {
    if hasCompositeID {
      writer.array("id", idNames) { $1.string($0) }
    } else {
      writer.member("id", idName)
    }
    if takesIDFromParent { writer.member("idFromParent", true) }
    if !byName.isEmpty {
      writer.object("relationships") { writer in
        for relationship in relationships {
          writer.name(relationship.name)
          relationship.write(to: &writer)
        }
      }
    }
    if !membersByAlias.isEmpty {
      writer.object("aliases") { writer in
        for (alias, member) in aliases { writer.member(alias, member) }
      }
    }
  }
}
