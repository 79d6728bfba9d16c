extension TypedInputReader {
  /// Reads rows in the output format of Django's `dumpdata`: `{"model": …, "pk": …, "fields":
  /// {…}}`.
  ///
  /// The model determines the table, and the primary key is the property `id`. A field is a
  /// reference for a property with its name and the suffix `ID`, such as `author` for `authorID`.
  func readDjango(_ reader: inout JSONReader) throws(JSONError) {
    let first = try reader.next()
    guard first == .beginArray else {
      add(.typeMismatch, at: reader.tokenStart, "expected an array of rows, found \(first.noun)")
      return try reader.skipValue(first)
    }
    while true {
      let token = try reader.next()
      if token == .endArray { return }
      guard token == .beginObject else {
        add(
          .typeMismatch, at: reader.tokenStart,
          "expected a row, an object with model, pk and fields; found \(token.noun)")
        try reader.skipValue(token)
        continue
      }
      try readValue(token, &reader, from: reader.tokenStart) { try readDjangoRow() }
    }
  }

  private func readDjangoRow() throws {
    let start = decoding.tape.nodes[0].start
    let model = decoding.value(of: "model", in: 0)
    guard let model, decoding.tape.nodes[model].token == .string else {
      context.countRejected()
      return add(
        .typeMismatch, at: start, "the row has no model, a string such as \"blog.post\"")
    }
    let fields = decoding.value(of: "fields", in: 0)
    guard let fields, decoding.tape.nodes[fields].token == .beginObject else {
      context.countRejected()
      return add(.typeMismatch, at: start, "the row has no fields, which are an object")
    }
    let name = decoding.text(model)
    let last = name.split(separator: ".").last.map(String.init) ?? name
    guard let stage = stage(named: name) ?? stage(named: last) else {
      context.countRejected()
      return addUnknown(name, at: decoding.tape.nodes[model].start)
    }
    let key = decoding.value(of: "pk", in: 0)
    var row = TapeRewriting(decoding.tape.nodes)
    let object = row.begin(0)
    if let key { row.addID(name: key - 1, value: key) }
    row.addMembers(of: fields, areLinkage: true)
    row.end(object)
    decoding.tape.nodes = row.nodes
    try readRow(0, stage, isRoot: true)
  }
}
