extension ImportRun {
  /// Reads an object of nested records by ID.
  mutating func readKeyed(_ reader: inout JSONReader) throws(JSONError) {
    guard let root = options.root, let entity = stage.knownEntity(root) else { return }
    let token = try reader.next()
    guard token == .beginObject else {
      addMismatch(
        at: reader.tokenStart,
        "expected an object of records of \(entity.name), found \(token.kindDescription)")
      return try reader.skipValue(token)
    }
    try readMembers(&reader) { (run, name, _, reader) throws(JSONError) in
      let token = try reader.next()
      let start = reader.tokenStart
      guard token == .beginObject else {
        run.addMismatch(
          at: start,
          "expected a record of \(entity.name), which is an object, found \(token.kindDescription)")
        return try reader.skipValue(token)
      }
      guard let position = try run.rowReader.read(entity, named: name, from: &reader) else {
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
