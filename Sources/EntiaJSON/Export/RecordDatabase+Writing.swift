import EntiaCollections
import EntiaDatabase

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
  /// Entities come in the order of their names, rows in the order of their IDs: numbers by value, then
  /// strings by UTF-8. Results come in the order in which the imported inputs had them. A row has its ID first, then its members sorted by the UTF-8
  /// of their names, on one line; an ID that is made of members stands beside the row only. Where a
  /// member names rows of several entities, each reference is an object with its type and its ID.
  ///
  /// - Returns: bytes that ``read(_:)`` turns into an equal database.
  /// - Complexity: O(size of the database), and sorting.
  public func write() -> [UInt8] {
    var bytes: [UInt8] = []
    write { bytes.append(contentsOf: $0) }
    return bytes
  }

  /// Gives the same in pieces, as they are written, so that they are never in memory as a whole.
  ///
  /// - Parameter pieces: is given each piece, in order.
  /// - Throws: what the closure throws.
  /// - Complexity: O(size of the database), and sorting.
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
      // Hardly any entity needs more than its rows' IDs, and those are written the short way.
      let isPlain = forms.variants(of: entity.name) == nil && !entity.hasCompositeID
      writer.name(entity.name)
      writer.beginObject()
      var rowWriter = RowWriter(idName: entity.idName)
      // One list after the other, so that no more than one is there twice.
      let rows = Self.sorted(tables[index].rows)
      tables[index].rows = []
      for row in rows {
        writer.name(row.id.key.text)
        if isPlain {
          writer.value { rowWriter.write(row, to: &$0) }
        } else {
          forms.write(row, to: &writer)
        }
        if writer.bytes.count >= Self.pieceSize { try pieces(writer.takeBytes()) }
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
    try pieces(writer.takeBytes())
  }

  /// The bytes that a piece of the output has at least, the last one excepted.
  private static let pieceSize = 1 << 18

  /// The entities in the order of their names, each with its rows in the order of their IDs.
  func tables() -> [(entity: Schema.Entity, rows: [Record])] {
    unsortedTables().map { ($0.entity, Self.sorted($0.rows)) }
  }

  /// The entities in the order of their names, each with its rows.
  private func unsortedTables() -> [(entity: Schema.Entity, rows: [Record])] {
    var rows: [ExactString: [Record]] = [:]
    // Rows of one import share the name and follow one another in long runs or in turns, so that a
    // name is looked for once.
    var places: [ObjectIdentifier: Int] = [:]
    var lists: [(name: ExactString, rows: [Record])] = []
    for record in table {
      let name = record.body.header.id.node.entity
      if let place = places[ObjectIdentifier(name)] {
        lists[place].rows.append(record)
        continue
      }
      let exact = ExactString(name.string)
      let place = lists.firstIndex { $0.name == exact } ?? lists.count
      if place == lists.count { lists.append((exact, [])) }
      places[ObjectIdentifier(name)] = place
      lists[place].rows.append(record)
    }
    for list in lists { rows[list.name] = list.rows }
    return schema.entities.map { entity in
      (entity, rows[ExactString(entity.name)] ?? [])
    }
  }

  /// The rows of one entity in the order of their IDs.
  static func sorted(_ rows: [Record]) -> [Record] { rows.sorted(byKey: \.id.key) }
}

extension Sequence {
  /// The elements in the order of a key of each.
  ///
  /// What most keys differ in is read once and then compares fast.
  func sorted(byKey key: (Element) -> RecordKey) -> [Element] {
    let elements = Array(self)
    var places: [(rank: UInt64, place: Int)] = []
    places.reserveCapacity(elements.count)
    for (place, element) in elements.enumerated() {
      guard let rank = key(element).rank else { return sorted { key($0) < key($1) } }
      places.append((rank, place))
    }
    places.sort {
      if $0.rank != $1.rank { return $0.rank < $1.rank }
      return key(elements[$0.place]) < key(elements[$1.place])
    }
    return places.map { elements[$0.place] }
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
