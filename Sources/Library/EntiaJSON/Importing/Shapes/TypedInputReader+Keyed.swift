import EntiaCoding

extension TypedInputReader {
  /// Reads an object of records by ID; the records may omit their IDs.
  func readKeyed(_ reader: inout JSONReader) throws(JSONError) {
    guard let root else { return try reader.skipValue(try reader.next()) }
    guard try begin(.beginObject, "an object of records of \(root.name)", &reader) else { return }
    try readKeyed(root, &reader, comparesIDs: true)
  }

  /// Reads the records by ID of the object that has begun.
  /// - Parameter comparesIDs: Whether a member `id` must equal the name. In tables it may be a part
  ///   of a composite ID.
  private func readKeyed(
    _ stage: AnyTypedStage<Storage>, _ reader: inout JSONReader, comparesIDs: Bool
  ) throws(JSONError) {
    var names: Set<ExactString> = []
    while let name = try nextName(&names, &reader) {
      let key = JSONTape.Node(
        token: .string, hasEscapes: reader.hasEscapes, start: reader.tokenStart,
        end: reader.tokenEnd, next: 0, hint: 0)
      reader.keptFrom = key.start
      guard try begin(.beginObject, "an object as a record of \(stage.name)", &reader) else {
        reader.keptFrom = .max
        continue
      }
      try readValue(.beginObject, &reader, from: key.start) {
        if let id = decoding.find(0, "id", isReference: { false }).value {
          let text = decoding.scalarText(id)
          guard !comparesIDs || text?.isExactly(name) == true else {
            context.countRejected()
            return add(
              .typeMismatch, at: decoding.tape.nodes[0].start,
              "the record under \(name.quoted) has the ID \(text?.quoted ?? "null"); make them "
                + "equal")
          }
        } else {
          decoding.insertID(key, isNumber: stage.hasIntegerIDs)
        }
        try readRow(0, stage, isRoot: true)
      }
    }
  }

  /// Reads an object of tables, each an array or an object of records.
  func readTables(_ reader: inout JSONReader) throws(JSONError) {
    guard try begin(.beginObject, "an object of tables", &reader) else { return }
    var names: Set<ExactString> = []
    while let name = try nextName(&names, &reader) {
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
      guard token == .beginArray else {
        try readKeyed(stage, &reader, comparesIDs: false)
        continue
      }
      while let token = try reader.nextElement() {
        try readRecord(token, &reader, of: name) { try readRow(0, stage, isRoot: true) }
      }
    }
  }
}
