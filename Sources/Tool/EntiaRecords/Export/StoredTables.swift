package import EntiaCoding

// The parts around the tables that a file or a server stores, as the JSON of a database.
extension JSONWriter {
  /// Writes the schema of stored tables, with an entity for each table that it lacks.
  ///
  /// - Parameters:
  ///   - schema: The stored schema, or nil if there is none.
  ///   - tables: The names of the tables.
  ///   - idName: Returns the member with the IDs of a table that the schema lacks, by its index.
  /// - Returns: The members of the IDs of each entity.
  package mutating func schema(
    _ schema: JSONValue?, of tables: [String], idName: (Int) -> String
  ) -> [ExactString: [String]] {
    var entities = schema?["entities"]?.members ?? []
    var idNames: [ExactString: [String]] = [:]
    for entity in entities {
      switch entity.value["id"] {
      case .string(let name): idNames[ExactString(entity.name)] = [name]
      case .array(let names):
        idNames[ExactString(entity.name)] = names.compactMap {
          if case .string(let name) = $0 { name } else { nil }
        }
      default: idNames[ExactString(entity.name)] = ["id"]
      }
    }
    for (index, table) in tables.enumerated() where idNames[ExactString(table)] == nil {
      let name = idName(index)
      idNames[ExactString(table)] = [name]
      entities.append(JSONValue.Member(table, .object([JSONValue.Member("id", .string(name))])))
    }
    value(.object([JSONValue.Member("entities", .object(entities))]))
    return idNames
  }

  /// Writes the rows of a stored result that still exist.
  ///
  /// - Parameters:
  ///   - result: The stored result, or nil if there is none.
  ///   - exists: Returns whether an entity has a row with an ID.
  package mutating func result(
    _ result: JSONValue?, where exists: (_ entity: String, _ id: JSONValue) -> Bool
  ) {
    object { writer in
      for member in result?.members ?? [] {
        guard case .array(let ids) = member.value else { continue }
        writer.array(member.name, ids.filter { exists(member.name, $0) }) { $1.value($0) }
      }
    }
  }
}

extension RecordDatabase {
  /// The IDs of the rows at the top level as JSON on one line, by entity.
  package var resultText: String {
    JSONWriter.text { writer in
      writer.object { writer in
        for (entity, keys) in result { writer.array(entity, keys) { $1.key($0) } }
      }
    }.text
  }
}

extension JSONValue {
  /// The members of an object; none of another value.
  package var members: [Member] {
    if case .object(let members) = self { members } else { [] }
  }
}
