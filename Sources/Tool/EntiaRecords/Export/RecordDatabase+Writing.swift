package import EntiaCoding
import EntiaCollections
import EntiaDatabase

extension RecordDatabase {
  /// Returns the database as JSON: schema, tables and result. Equal databases have equal bytes if
  /// the members of their rows are in the same order.
  ///
  /// ```json
  /// {
  ///   "schema": {"entities": {…}},
  ///   "entities": {
  ///     "authors": {
  ///       "a1": {"id":"a1","name":"Ann"}
  ///     }
  ///   },
  ///   "result": {
  ///     "posts": ["p1"]
  ///   }
  /// }
  /// ```
  ///
  /// Entities are sorted by name, rows by ID: numbers by value, then strings by their UTF-8 bytes.
  /// Results are in input order. A row is written on one line, first its ID, then its members in
  /// the order in which they were first read. A composite ID is written only as the key of the row.
  /// If a member refers to rows of several entities, each reference is an object with a type and an
  /// ID.
  ///
  /// - Returns: Bytes that ``read(_:)`` converts to an equal database.
  /// - Complexity: O(size of the database), plus sorting.
  public func write() -> [UInt8] {
    var bytes: [UInt8] = []
    write { bytes.append(contentsOf: $0) }
    return bytes
  }

  /// Writes the JSON in pieces, so that it is never in memory as a whole.
  ///
  /// - Parameter pieces: A closure that is called with each piece, in order.
  /// - Throws: The error of the closure.
  /// - Complexity: O(size of the database), plus sorting.
  public func write<Failure: Error>(
    to pieces: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    var writer = JSONWriter(layout: .lines(depth: 3))
    writer.beginObject()
    writer.name("schema")
    schema.write(to: &writer)
    writer.name("entities")
    writer.beginObject()
    let forms = ReferenceForms(schema.entities)
    var tables = unsortedTables()
    for index in tables.indices {
      let entity = tables[index].entity
      // In most entities, each reference is only an ID, and the ID of a row is one member. Such
      // entities have a fast path.
      let isPlain = forms.variants(of: entity.name) == nil && !entity.hasCompositeID
      writer.name(entity.name)
      writer.beginObject()
      var rowWriter = RecordWriter(idName: entity.idName)
      // One table is sorted at a time, and its array is released after it is written.
      let rows = tables[index].rows
      tables[index].rows = []
      for place in RecordKeyOrder(rows.map(\.id.key)).places {
        let row = rows[place]
        if isPlain {
          rowWriter.write(row, to: &writer)
        } else {
          writer.name(row.id.key.text)
          forms.write(row, to: &writer)
        }
        if writer.bytes.count >= Self.pieceSize { try writer.flush(to: pieces) }
      }
      writer.endObject()
    }
    writer.endObject()
    writer.name("result")
    writer.beginObject()
    for (entity, keys) in result {
      writer.name(entity)
      writer.line { $0.array(keys) { $1.key($0) } }
    }
    writer.endObject()
    writer.endObject()
    writer.endLine()
    try writer.flush(to: pieces)
  }

  /// The minimum size in bytes of each piece except the last.
  private static let pieceSize = 1 << 18

  /// Returns the entities sorted by name, each with its rows sorted by ID.
  package func tables() -> [(entity: Schema.Entity, rows: [Record])] {
    unsortedTables().map { ($0.entity, Self.sorted($0.rows)) }
  }

  /// Returns the entities sorted by name, each with its rows.
  private func unsortedTables() -> [(entity: Schema.Entity, rows: [Record])] {
    var lists: [[Record]] = []
    let numbers = forEachRow { record, entity in
      if entity == lists.count { lists.append([]) }
      lists[entity].append(record)
    }
    return schema.entities.map { entity in
      (entity, numbers[ExactString(entity.name)].map { lists[$0] } ?? [])
    }
  }

  /// Returns the rows of one entity sorted by ID.
  static func sorted(_ rows: [Record]) -> [Record] { rows.sorted(byKey: \.id.key) }
}

extension JSONWriter {
  /// Writes an ID.
  package mutating func key(_ key: RecordKey) {
    switch key {
    case .number(let value): number(value)
    case .string(let value): string(value)
    }
  }
}

// A file or a server stores tables, a schema and a result. These methods write the schema and the
// result as in the JSON of a database.
extension JSONWriter {
  /// Writes the schema of stored tables, with an entity for each table that the schema lacks.
  ///
  /// - Parameters:
  ///   - schema: The stored schema, or nil if there is none.
  ///   - tables: The names of the tables.
  ///   - namesOfID: Returns the members that make up the ID of the table at an index of `tables`.
  ///     It is called for each table that the schema lacks.
  /// - Returns: The members of the ID in each entity.
  package mutating func schema(
    _ schema: JSONValue?, of tables: [String], namesOfID: (Int) -> [String]
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
      let names = namesOfID(index)
      idNames[ExactString(table)] = names
      let strings = names.map(JSONValue.string)
      let id = strings.count == 1 ? strings[0] : .array(strings)
      entities.append(JSONValue.Member(table, .object([JSONValue.Member("id", id)])))
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
  /// The members of an object; empty if the value is no object.
  package var members: [Member] {
    if case .object(let members) = self { members } else { [] }
  }
}
