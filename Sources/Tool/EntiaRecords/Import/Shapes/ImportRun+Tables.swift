import EntiaCoding
import EntiaJSON

extension ImportRun {
  /// Reads tables: the output of a database, or an object of tables.
  mutating func readTables(
    _ reader: inout JSONReader, _ layout: TablesLayout
  ) throws(JSONError) {
    guard try begin(.beginObject, "an object of tables", &reader) else { return }
    readsDatabase = layout.isDatabase
    try readMembers(&reader) { (run, name, offset, reader) throws(JSONError) in
      let token = try reader.next()
      if name == "schema", layout.schema?.start == reader.tokenStart {
        return try reader.skipValue(token)
      }
      guard layout.isDatabase else { return try run.readTable(name, token, &reader) }
      switch name {
      case "entities": try run.readEntities(token, &reader)
      case "result": try run.readResult(token, &reader)
      default:
        let members = ["schema", "entities", "result"]
        run.addMismatch(
          at: offset,
          name == "schema"
            ? "expected a schema, which is an object with the member \"entities\", found "
              + token.kindDescription
            : "unknown member \(name.quoted) beside \"entities\""
              + Suggestion.sentence(for: name, among: members))
        try reader.skipValue(token)
      }
    }
  }

  /// Reads the members of the object that has begun, each name once.
  mutating func readMembers(
    _ reader: inout JSONReader,
    _ body: (inout ImportRun, String, Int, inout JSONReader) throws(JSONError) -> Void
  ) throws(JSONError) {
    var names: Set<ExactString> = []
    while let name = try nextName(&names, &reader) {
      try body(&self, name, reader.tokenStart, &reader)
    }
  }

  private mutating func readEntities(
    _ token: JSONToken, _ reader: inout JSONReader
  ) throws(JSONError) {
    guard try accept(token, as: .beginObject, "an object of tables", &reader) else { return }
    try readMembers(&reader) { (run, name, _, reader) throws(JSONError) in
      try run.readTable(name, try reader.next(), &reader)
    }
  }

  private mutating func readTable(
    _ name: String, _ token: JSONToken, _ reader: inout JSONReader
  ) throws(JSONError) {
    let start = reader.tokenStart
    guard token.opens else {
      return try reject(token, "an array or an object of rows as table \(name.quoted)", &reader)
    }
    let entity = enter(name, at: start)
    tableCount += 1
    if token == .beginArray {
      while let token = try reader.nextElement() {
        try readRow(entity, named: nil, token, &reader)
      }
      return
    }
    while try reader.next() == .name {
      let rowName = reader.string()
      try readRow(entity, named: rowName, try reader.next(), &reader)
    }
  }

  /// Returns the entity of a table. Warns if a given schema does not contain it.
  mutating func enter(_ name: String, at offset: Int) -> EntityStage {
    if let entity = stage.knownEntity(name) { return entity }
    if let given = options.schema {
      stage.problems.add(
        .unknownEntity, at: stage.origin(offset), severity: .warning,
        "\(name.quoted) is no entity of the schema; its rows are imported without relationships"
          + Suggestion.sentence(for: name, among: given.entities.map(\.name)))
    }
    return stage.entity(name)
  }

  private mutating func readRow(
    _ entity: EntityStage, named name: String?, _ token: JSONToken, _ reader: inout JSONReader
  ) throws(JSONError) {
    let start = reader.tokenStart
    guard try accept(token, as: .beginObject, "an object as a row of \(entity.name)", &reader)
    else { return }
    guard let position = try recordReader.read(entity, named: name, from: &reader) else { return }
    if options.root?.isExactly(entity.name) == true {
      // In the output of a database, `result` follows the tables. It defines the order of the rows
      // at the top level, so the rows in `result` are marked before the rows of the tables.
      if readsDatabase {
        deferredRoots.append((entity, position))
      } else {
        entity.markRoot(position)
      }
    }
    let id = entity.rows[position].id
    guard let name else { return }
    if !name.isExactly(id.key.text) {
      return addMismatch(at: start, "the row under \(name.quoted) is \(id)")
    }
    if entity.rows[position].table == tableCount { addDuplicate(at: start) }
    entity.rows[position].table = tableCount
  }

  private mutating func readResult(
    _ token: JSONToken, _ reader: inout JSONReader
  ) throws(JSONError) {
    guard try accept(token, as: .beginObject, "an object of arrays of IDs", &reader) else { return }
    try readMembers(&reader) { (run, name, _, reader) throws(JSONError) in
      guard try run.begin(.beginArray, "an array of IDs", &reader) else { return }
      while let token = try reader.nextElement() {
        let origin = run.stage.origin(reader.tokenStart)
        switch token {
        case .number: run.results.append((name, .number(reader.number()), origin))
        case .string: run.results.append((name, .string(reader.string()), origin))
        default: try run.reject(token, "an ID", &reader)
        }
      }
    }
  }
}

extension ImportSource {
  /// Whether the text is an object whose members are tables. In the output of a database, the
  /// tables are inside the member `entities` instead.
  ///
  /// - Complexity: O(bytes) for an object whose members are tables.
  package var holdsPlainTables: Bool {
    withWindow { window in
      let layout = TablesLayout(window)
      return layout.hasMembers && !layout.isDatabase
    }
  }
}

/// The structure of a text with tables. It is determined before the records are read.
struct TablesLayout {
  /// Whether the tables are in a member `entities`, as in the output of a database.
  private(set) var isDatabase = false
  /// Whether the text is an object that is not empty.
  private(set) var hasMembers = false
  /// The offset and the text of the schema, if there is one.
  private(set) var schema: (start: Int, bytes: [UInt8])?

  init() {}

  /// Creates the layout of a text. Reads the members of the top level only until the layout is
  /// known. In the output of a database, the schema is first, so its tables are not read here.
  ///
  /// - Parameters:
  ///   - window: The text.
  ///   - path: The path of the tables, or nil for the whole input.
  init(_ window: ByteWindow, at path: JSONPath? = nil) {
    var reader = JSONReader(window)
    do {
      if let path, try reader.descend(to: path) != nil { return }
      guard try reader.next() == .beginObject else { return }
      while try reader.next() == .name, !(isDatabase && schema != nil) {
        hasMembers = true
        let name = reader.string()
        let token = try reader.next()
        let start = reader.tokenStart
        if name == "schema" { reader.keptFrom = start }
        if name == "entities" {
          isDatabase = true
          if schema != nil { return }
        }
        let isSchema = try Self.skip(token, &reader)
        if name == "schema", isSchema, schema == nil {
          schema = (start, Array(reader.bytes(start..<reader.tokenEnd)))
        }
        reader.keptFrom = .max
      }
    } catch {
      // The error is ignored here, because the later reading of the records reports it.
    }
  }

  /// Skips a value, and returns whether it could be a schema: an object with a member `entities`.
  private static func skip(
    _ token: JSONToken, _ reader: inout JSONReader
  ) throws(JSONError) -> Bool {
    guard token == .beginObject else {
      try reader.skipValue(token)
      return false
    }
    var isSchema = false
    while try reader.next() == .name {
      if reader.string() == "entities" { isSchema = true }
      try reader.skipValue(try reader.next())
    }
    return isSchema
  }
}
