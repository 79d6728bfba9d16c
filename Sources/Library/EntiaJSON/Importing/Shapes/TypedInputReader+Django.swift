import EntiaCoding

extension TypedInputReader {
  /// Reads records in the output format of Django's `dumpdata`: `{"model": …, "pk": …, "fields":
  /// {…}}`.
  ///
  /// The model determines the table, and the primary key is the property `id`. A field is also read
  /// as the reference property whose name is that of the field with the suffix `ID`. For example,
  /// `author` is also read as `authorID`.
  func readDjango(_ reader: inout JSONReader) throws(JSONError) {
    guard try begin(.beginArray, "an array of records", &reader) else { return }
    while let token = try reader.nextElement() {
      let expected = "a record, which is an object with model, pk and fields"
      guard try accept(token, as: .beginObject, expected, &reader) else { continue }
      try readValue(token, &reader, from: reader.tokenStart) { try readDjangoRecord() }
    }
  }

  private func readDjangoRecord() throws {
    let start = decoding.tape.nodes[0].start
    let model = decoding.value(of: "model", in: 0)
    guard let model, decoding.tape.nodes[model].token == .string else {
      context.countRejected()
      return addMismatch(
        at: start, "this record has no model that is a string such as \"blog.post\"")
    }
    let fields = decoding.value(of: "fields", in: 0)
    guard let fields, decoding.tape.nodes[fields].token == .beginObject else {
      context.countRejected()
      return addMismatch(at: start, "this record has no fields that are an object")
    }
    let name = decoding.text(model)
    let last = name.split(separator: ".").last.map(String.init) ?? name
    let named = stage(named: name)
    guard let stage = named ?? stage(named: last) else {
      context.countRejected()
      return addUnknown(name, at: decoding.tape.nodes[model].start)
    }
    if let other = context.otherModel(of: stage.name, besides: name, isNamed: named != nil) {
      context.countRejected()
      return add(
        .conflict, at: decoding.tape.nodes[model].start,
        "rows of the models \(other.quoted) and \(name.quoted) would both be \(stage.name); name "
          + "the entity of each in typeNames")
    }
    let key = decoding.value(of: "pk", in: 0)
    let id = key == nil ? nil : decoding.value(of: "id", in: fields)
    if let key, let id, !hasEqualIDs(key, id) {
      context.countRejected()
      return add(
        .conflict, at: decoding.tape.nodes[id - 1].start,
        "the record of \(stage.name) has another \"id\" among its fields than its pk; leave one of "
          + "them out, or make them equal")
    }
    var row = TapeRewriting(Array(decoding.tape.nodes))
    let object = row.begin(0)
    if let key { row.addID(name: key - 1, value: key) }
    row.addMembers(of: fields, besides: id.map { $0 - 1 }, areLinkage: true)
    row.end(object)
    decoding.tape.nodes = JSONTapeNodes(row.nodes)
    try readRow(0, stage, isRoot: true)
  }

  /// Returns whether two nodes are the same ID, which may be a number in one and a string in the
  /// other.
  private func hasEqualIDs(_ left: Int, _ right: Int) -> Bool {
    guard let left = decoding.scalarText(left), let right = decoding.scalarText(right) else {
      return false
    }
    return left.isExactly(right)
  }
}
