extension TypedInputReader {
  /// Reads an object of tables, each an array or an object of records.
  func readTables(_ reader: inout JSONReader) throws(JSONError) {
    let first = try reader.next()
    guard first == .beginObject else {
      add(
        .typeMismatch, at: reader.tokenStart,
        "expected an object of tables, found \(first.kindDescription)")
      return try reader.skipValue(first)
    }
    while try reader.next() == .name {
      let name = reader.string()
      let offset = reader.tokenStart
      let token = try reader.next()
      guard let stage = stages.first(where: { $0.name.isExactly(name) }), token.opens else {
        add(
          token.opens ? .unknownEntity : .typeMismatch, at: offset,
          token.opens
            ? "\(name.quoted) is no table of \(Storage.self)"
              + Suggestion.sentence(for: name, among: stages.map(\.name))
            : "expected the table \(name.quoted), an array or an object of rows; "
              + "found \(token.kindDescription)")
        try reader.skipValue(token)
        continue
      }
      while true {
        var token = try reader.next()
        if token == .endArray || token == .endObject { break }
        if token == .name { token = try reader.next() }
        try readRecord(token, &reader, of: name) { try readRow(0, stage, isRoot: true) }
      }
    }
  }
}
