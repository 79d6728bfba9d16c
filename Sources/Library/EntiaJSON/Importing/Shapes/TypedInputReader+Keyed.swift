import EntiaCoding

extension TypedInputReader {
  /// Reads an object of records by ID; the records may omit their IDs.
  func readKeyed(_ reader: inout JSONReader) throws(JSONError) {
    guard let root else { return try reader.skipValue(try reader.next()) }
    guard try begin(.beginObject, "an object of records of \(root.name)", &reader) else { return }
    var names: Set<ExactString> = []
    while try reader.next() == .name {
      let name = reader.string()
      let key = JSONTape.Node(
        token: .string, hasEscapes: reader.hasEscapes, start: reader.tokenStart,
        end: reader.tokenEnd, next: 0, hint: 0)
      if !names.insert(ExactString(name)).inserted { addDuplicate(at: key.start) }
      reader.keptFrom = key.start
      guard try begin(.beginObject, "an object as a record of \(root.name)", &reader) else {
        reader.keptFrom = .max
        continue
      }
      try readValue(.beginObject, &reader, from: key.start) {
        if let id = decoding.find(0, "id", isReference: { false }) {
          let text = decoding.scalarText(id)
          guard text?.isExactly(name) == true else {
            return add(
              .typeMismatch, at: decoding.tape.nodes[0].start,
              "the record under \(name.quoted) has the ID \(text?.quoted ?? "null"); make them "
                + "equal")
          }
        } else {
          decoding.insertID(key, isNumber: root.hasIntegerIDs)
        }
        try root.readRoot(0, decoding)
      }
    }
  }
}
