extension ImportRun {
  /// A Django row, as far as it has been read.
  private struct DjangoRow {
    var model: String?
    var key: RecordKey?
    /// The token of the ID member, if it is not an ID.
    var badKey: JSONToken?
    /// The offset of the fields, which can be read when the model is known.
    var fields: Int?
    var isWhole = true
  }

  /// Reads rows in the output format of Django's `dumpdata`.
  mutating func readDjango(_ reader: inout JSONReader) throws(JSONError) {
    let token = try reader.next()
    guard token == .beginArray else {
      addMismatch(
        at: reader.tokenStart, "expected an array of rows, found \(token.kindDescription)")
      return try reader.skipValue(token)
    }
    while true {
      let token = try reader.next()
      if token == .endArray { return }
      guard token == .beginObject else {
        addMismatch(
          at: reader.tokenStart,
          "expected a row, an object with model, pk and fields; found \(token.kindDescription)")
        try reader.skipValue(token)
        continue
      }
      // The fields can be read only when the model is known, which may follow them.
      reader.keptFrom = reader.tokenStart
      try readDjangoRow(&reader)
      reader.keptFrom = .max
    }
  }

  private mutating func readDjangoRow(_ reader: inout JSONReader) throws(JSONError) {
    let start = reader.tokenStart
    var row = DjangoRow()
    try readMembers(&reader) { (run, name, offset, reader) throws(JSONError) in
      let token = try reader.next()
      switch (name, token) {
      case ("model", .string): row.model = reader.string()
      case ("pk", .number): row.key = .number(reader.number())
      case ("pk", .string): row.key = .string(reader.string())
      case ("pk", _): row.badKey = token
      case ("fields", .beginObject): row.fields = reader.tokenStart
      default:
        row.isWhole = false
        run.addMismatch(at: offset, Self.mismatch(name, token))
      }
      try reader.skipValue(token)
    }
    guard row.isWhole else { return countRejected() }
    guard let model = row.model, let fields = row.fields else {
      countRejected()
      let lack = row.model == nil ? "model" : "fields"
      return addMismatch(at: start, "the row has no member \"\(lack)\"")
    }
    try stageDjangoRow(row, model, at: start, reader.reader(from: fields))
  }

  private static func mismatch(_ name: String, _ token: JSONToken) -> String {
    switch name {
    case "model": "a model is a string such as \"blog.post\"; found \(token.kindDescription)"
    case "fields": "the fields of a row are an object; found \(token.kindDescription)"
    default: "a row has the members model, pk and fields; found \(name.quoted)"
    }
  }

  private func countRejected() { stage.counts.read += 1 }

  private mutating func stageDjangoRow(
    _ row: DjangoRow, _ model: String, at start: Int, _ fields: JSONReader
  ) throws(JSONError) {
    let name = entityName(ofModel: model)
    let origin = Origin(file: stage.file, offset: start, hasFields: true)
    if let other = models[ExactString(name)], !other.isExactly(model) {
      guard !definesEntity(name) else {
        countRejected()
        return addAmbiguous(name, other, model, at: origin)
      }
      foundSharedModelNames.insert(ExactString(name))
    } else {
      models[ExactString(name)] = model
    }
    let entity = enter(name, at: start)
    if !entity.idFields.isEmpty {
      // The ID is composed of the members; Django's own key is not part of it.
      if row.key != nil || row.badKey != nil { ignored["pk", default: 0] += 1 }
      var fields = fields
      _ = try fields.next()
      let position = try rowReader.read(entity, origin: origin, from: &fields)
      if options.root?.isExactly(name) == true, let position {
        entity.markRoot(position)
      }
      return
    }
    if let token = row.badKey, token != .null {
      countRejected()
      return stage.problems.add(
        .missingID, at: origin, "the pk of this row of \(name) is \(token.kindDescription)",
        cause: ImportProblem.Cause(entity: name, "the pk is \(token.kindDescription)"))
    }
    var fields = fields
    _ = try fields.next()
    // A row that was dumped with its natural key has the ID that the schema names among its fields.
    let given = row.key.map(entity.position)
    if given != nil { entity.hasGivenKeys = true }
    let position = try rowReader.read(entity, at: given, origin: origin, from: &fields)
    if options.root?.isExactly(name) == true, let position { entity.markRoot(position) }
  }

  /// Returns whether a schema of the options, the database or the inputs defines an entity.
  private func definesEntity(_ name: String) -> Bool { gatheredSchema.entity(name) != nil }

  /// Reports that an entity of a schema may be either of two models. The problem is reported once for
  /// each further model.
  private mutating func addAmbiguous(
    _ name: String, _ first: String, _ other: String, at origin: Origin
  ) {
    guard ambiguousModels.insert(ExactString(other)).inserted else { return }
    let models = [first, other].sorted { $0.precedesExactly($1) }.joined(separator: " and ")
    let advice =
      options.schema?.entity(name) == nil
      ? "the database has this entity, and does not record its model; import the models together "
        + "into a new database"
      : "name the entities of the schema by the whole names of their models"
    stage.problems.add(
      .schemaConflict, at: origin, "\(name.quoted) may be either of the models \(models); \(advice)"
    )
  }

  /// The entity of a model: its name without the app's, unless models of several apps share that or
  /// the schema has the whole name.
  private func entityName(ofModel model: String) -> String {
    let name = model.split(separator: ".").last.map(String.init) ?? model
    return sharedModelNames.contains(ExactString(name)) || stage.knownEntity(model) != nil
      ? model : name
  }
}
