import EntiaCoding
import EntiaJSON

extension ImportRun {
  /// Reads an array of nested records, or a single record.
  func readNested(_ reader: inout JSONReader) throws(JSONError) {
    guard let root = options.root, let entity = stage.knownEntity(root) else { return }
    try readRecords(&reader) { (token, reader) throws(JSONError) in
      try readRoot(token, entity, &reader)
    }
  }

  /// Reads a nested record on each line.
  func readLines(_ window: ByteWindow) {
    guard let root = options.root, let entity = stage.knownEntity(root) else { return }
    readLines(window, of: entity)
  }

  func readLines(_ window: ByteWindow, of entity: EntityStage) {
    readLines(window) { (token, reader) throws(JSONError) in
      try readRoot(token, entity, &reader)
    }
  }

  private func readRoot(
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
  /// Reads an object whose members are nested records. The name of each member is the record's ID.
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
