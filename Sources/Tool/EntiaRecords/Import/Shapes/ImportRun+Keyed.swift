import EntiaCoding
import EntiaJSON

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
