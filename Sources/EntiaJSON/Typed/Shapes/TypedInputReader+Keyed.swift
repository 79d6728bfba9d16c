extension TypedInputReader {
  /// Reads an object of records by ID; the records may omit their IDs.
  func readKeyed(_ reader: inout JSONReader) throws(JSONError) {
    guard let root else { return try reader.skipValue(try reader.next()) }
    let first = try reader.next()
    guard first == .beginObject else {
      add(
        .typeMismatch, at: reader.tokenStart,
        "expected an object of records of \(root.name), found \(first.kindDescription)")
      return try reader.skipValue(first)
    }
    var names: Set<ExactString> = []
    while try reader.next() == .name {
      let name = reader.string()
      let key = JSONTape.Node(
        token: .string, hasEscapes: reader.hasEscapes, start: reader.tokenStart,
        end: reader.tokenEnd, next: 0, hint: 0)
      if !names.insert(ExactString(name)).inserted { addDuplicate(at: key.start) }
      reader.keptFrom = key.start
      let token = try reader.next()
      guard token == .beginObject else {
        add(
          .typeMismatch, at: reader.tokenStart,
          "expected a record of \(root.name), which is an object, found \(token.kindDescription)")
        try reader.skipValue(token)
        reader.keptFrom = .max
        continue
      }
      try readValue(token, &reader, from: key.start) {
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
