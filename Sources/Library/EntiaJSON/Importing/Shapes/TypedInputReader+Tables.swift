import EntiaCoding

extension TypedInputReader {
  /// Reads an object of tables, each an array or an object of records.
  func readTables(_ reader: inout JSONReader) throws(JSONError) {
    guard try begin(.beginObject, "an object of tables", &reader) else { return }
    while try reader.next() == .name {
      let name = reader.string()
      let offset = reader.tokenStart
      let token = try reader.next()
      guard token.opens else {
        try reject(token, "an array or an object of rows as table \(name.quoted)", &reader)
        continue
      }
      guard let stage = stages.first(where: { $0.name.isExactly(name) }) else {
        add(
          .unknownEntity, at: offset,
          "\(name.quoted) is no table of \(Storage.self)"
            + Suggestion.sentence(for: name, among: stages.map(\.name)))
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
