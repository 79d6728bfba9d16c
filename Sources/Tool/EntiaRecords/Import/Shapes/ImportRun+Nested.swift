import EntiaCoding
import EntiaJSON

extension ImportRun {
  /// Reads an array of nested records, or a single record.
  mutating func readNested(_ reader: inout JSONReader) throws(JSONError) {
    guard let root = options.root, let entity = stage.knownEntity(root) else { return }
    try readRecords(entity, &reader)
  }

  private mutating func readRecords(
    _ entity: EntityStage, _ reader: inout JSONReader
  ) throws(JSONError) {
    let token = try reader.next()
    guard token == .beginArray else { return try readRoot(token, entity, &reader) }
    while let token = try reader.nextElement() { try readRoot(token, entity, &reader) }
  }

  /// Reads a nested record on each line; an invalid line does not affect the others.
  mutating func readLines(_ window: ByteWindow) {
    guard let root = options.root, let entity = stage.knownEntity(root) else { return }
    readLines(window, of: entity)
  }

  mutating func readLines(_ window: ByteWindow, of entity: EntityStage) {
    var lines = JSONLines(window)
    while let line = lines.next() {
      var reader = JSONReader(window, line.range, line: line.number, column: line.column)
      do {
        if let path = options.at {
          if let problem = try reader.descend(to: path) {
            addMissingPath(path, problem, at: reader.tokenStart)
            continue
          }
          try readRecords(entity, &reader)
          try ascend(&reader)
        } else {
          try readRoot(try reader.next(), entity, &reader)
        }
        _ = try reader.next()
      } catch {
        addMalformed(error)
      }
    }
  }

  private mutating func readRoot(
    _ token: JSONToken, _ entity: EntityStage, _ reader: inout JSONReader
  ) throws(JSONError) {
    guard try accept(token, as: .beginObject, "an object as a record of \(entity.name)", &reader)
    else { return }
    if let position = try recordReader.read(entity, from: &reader) {
      entity.markRoot(position)
    }
  }
}

extension ImportRun {
  /// Reads an object of nested records by ID.
  mutating func readKeyed(_ reader: inout JSONReader) throws(JSONError) {
    guard let root = options.root, let entity = stage.knownEntity(root) else { return }
    guard try begin(.beginObject, "an object of records of \(entity.name)", &reader) else { return }
    try readMembers(&reader) { (run, name, _, reader) throws(JSONError) in
      guard try run.begin(.beginObject, "an object as a record of \(entity.name)", &reader) else {
        return
      }
      let start = reader.tokenStart
      guard let position = try run.recordReader.read(entity, named: name, from: &reader) else {
        return
      }
      entity.markRoot(position)
      let id = entity.rows[position].id
      if !name.isExactly(id.key.text) {
        run.addMismatch(at: start, "the record under \(name.quoted) is \(id)")
      }
    }
  }
}
