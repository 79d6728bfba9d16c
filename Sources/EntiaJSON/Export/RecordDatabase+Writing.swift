extension RecordDatabase {
  /// Gives the database as JSON: schema, tables and result, the same bytes for equal databases.
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
  /// Entities come in the order of their names, rows and results in the order of their IDs: numbers
  /// by value, then strings by UTF-8. A row has its ID first, then its members sorted by the UTF-8
  /// of their names, on one line.
  ///
  /// - Returns: bytes that ``read(_:)`` turns into an equal database.
  /// - Complexity: O(size of the database), and sorting.
  public func write() -> [UInt8] {
    var writer = JSONWriter(layout: .lines(depth: 3))
    writer.beginObject()
    writer.name("schema")
    schema.write(to: &writer)
    writer.name("entities")
    writer.beginObject()
    for (entity, rows) in tables() {
      writer.name(entity.name)
      writer.beginObject()
      for row in rows {
        writer.name(row.id.key.text)
        Self.write(row, idName: entity.idName, to: &writer)
      }
      writer.endObject()
    }
    writer.endObject()
    writer.name("result")
    writer.beginObject()
    for (entity, keys) in result {
      writer.name(entity)
      var list = JSONWriter(layout: .compact)
      list.beginArray()
      for key in keys { list.key(key) }
      list.endArray()
      // A list is one line, however deep the line stands.
      writer.text(JSONText(canonical: String(decoding: list.bytes, as: UTF8.self)))
    }
    writer.endObject()
    writer.endObject()
    writer.endLine()
    return writer.bytes
  }

  private static func write(_ row: Record, idName: String, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name(idName)
    writer.key(row.id.key)
    for (name, value) in zip(row.names, row.values) {
      writer.name(name.string)
      switch value {
      case .plain(let text): writer.text(text)
      case .reference(let id): writer.key(id.key)
      case .references(let ids):
        writer.beginArray()
        for id in ids { writer.key(id.key) }
        writer.endArray()
      }
    }
    writer.endObject()
  }

  /// The entities in the order of their names, each with its rows in the order of their IDs.
  func tables() -> [(entity: Schema.Entity, rows: [Record])] {
    var rows: [ExactString: [Record]] = [:]
    for record in records { rows[ExactString(record.id.entity), default: []].append(record) }
    return schema.entities.map { entity in
      (entity, Self.sorted(rows[ExactString(entity.name)] ?? []))
    }
  }

  /// The rows of one entity in the order of their IDs.
  static func sorted(_ rows: [Record]) -> [Record] { rows.sorted(byKey: \.id.key) }
}

extension Sequence {
  /// The elements in the order of a key of each.
  ///
  /// Nearly every table has either small integers, which are read once and then compare fast, or
  /// strings.
  func sorted(byKey key: (Element) -> RecordKey) -> [Element] {
    var integers: [(value: Int, element: Element)] = []
    for element in self {
      guard case .number(let number) = key(element), let value = number.integer else {
        return sorted { key($0) < key($1) }
      }
      integers.append((value, element))
    }
    return integers.sorted {
      $0.value == $1.value ? key($0.element) < key($1.element) : $0.value < $1.value
    }.map(\.element)
  }
}

extension JSONWriter {
  /// Writes an ID.
  mutating func key(_ key: RecordKey) {
    switch key {
    case .number(let value): number(value)
    case .string(let value): string(value)
    }
  }
}
