import EntiaCoding
import EntiaJSON

/// The parts of a Django record that have been read so far.
struct DjangoRecord {
  var model: String?
  var key: RecordKey?
  /// The first token of the value of `pk`, if the value is not an ID.
  var badKey: JSONToken?
  /// The offset of the value of `fields`, which can be read only when the model is known.
  var fields: Int?

  /// Stores the member `name`. The first token of its value is `token`.
  ///
  /// - Returns: Whether a record may have the member, with a value of this kind.
  mutating func note(_ name: String, _ token: JSONToken, _ reader: borrowing JSONReader) -> Bool {
    switch (name, token) {
    case ("model", .string): model = reader.string()
    case ("pk", .number): key = .number(reader.number())
    case ("pk", .string): key = .string(reader.string())
    case ("pk", _): badKey = token
    case ("fields", .beginObject): fields = reader.tokenStart
    default: return false
    }
    return true
  }
}

extension ImportRun {
  /// Reads records in the output format of Django's `dumpdata`.
  mutating func readDjango(_ reader: inout JSONReader) throws(JSONError) {
    guard try begin(.beginArray, "an array of records", &reader) else { return }
    while let token = try reader.nextElement() {
      let expected = "a record, which is an object with model, pk and fields"
      guard try accept(token, as: .beginObject, expected, &reader) else { continue }
      // The fields can be read only when the model is known, and the model may follow the fields.
      reader.keptFrom = reader.tokenStart
      try readDjangoRecord(&reader)
      reader.keptFrom = .max
    }
  }

  private mutating func readDjangoRecord(_ reader: inout JSONReader) throws(JSONError) {
    let start = reader.tokenStart
    var record = DjangoRecord()
    var isWhole = true
    try readMembers(&reader) { (run, name, offset, reader) throws(JSONError) in
      let token = try reader.next()
      if !record.note(name, token, reader) {
        isWhole = false
        run.addMismatch(at: offset, Self.mismatch(name, token))
      }
      try reader.skipValue(token)
    }
    guard isWhole else { return countRejected() }
    guard let model = record.model, let fields = record.fields else {
      countRejected()
      let lack = record.model == nil ? "model" : "fields"
      return addMismatch(at: start, "this record has no \"\(lack)\"")
    }
    try stageDjangoRecord(record, model, at: start, reader.reader(from: fields))
  }

  private static func mismatch(_ name: String, _ token: JSONToken) -> String {
    switch name {
    case "model": "expected a string such as \"blog.post\" as model, found \(token.kindDescription)"
    case "fields": "expected an object as fields, found \(token.kindDescription)"
    default: "\(name.quoted) is no member of a record, which has model, pk and fields"
    }
  }

  private func countRejected() { stage.counts.read += 1 }

  private mutating func stageDjangoRecord(
    _ record: DjangoRecord, _ model: String, at start: Int, _ fields: JSONReader
  ) throws(JSONError) {
    let name = entityName(ofModel: model)
    let origin = Origin(file: stage.file, offset: start, members: .fields)
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
    var given: Int?
    if !entity.idFields.isEmpty {
      // The ID is composed of the members; Django's own key is not part of it.
      if record.key != nil || record.badKey != nil { ignored["pk", default: 0] += 1 }
    } else if let token = record.badKey, token != .null {
      countRejected()
      return stage.problems.add(
        .missingID, at: origin, "the pk of this record of \(name) is \(token.kindDescription)",
        cause: ImportProblem.Cause(entity: name, "the pk is \(token.kindDescription)"))
    } else {
      // A record that was dumped with its natural key has its ID among the fields.
      given = record.key.map(entity.position)
    }
    if given != nil { entity.hasGivenKeys = true }
    var fields = fields
    _ = try fields.next()
    let position = try recordReader.read(entity, at: given, origin: origin, from: &fields)
    if options.root?.isExactly(name) == true, let position { entity.markRoot(position) }
  }

  /// Returns whether a schema of the options, the database or the inputs defines an entity.
  private func definesEntity(_ name: String) -> Bool { mergedSchema.entity(name) != nil }

  /// Reports that an entity of a schema may be either of two models. The problem is reported once
  /// for each further model.
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

  /// Returns the entity of a model: the name of the model without the app. It is the whole name
  /// if models of several apps share the short name, or if the schema has the whole name.
  private func entityName(ofModel model: String) -> String {
    let name = model.split(separator: ".").last.map(String.init) ?? model
    return sharedModelNames.contains(ExactString(name)) || stage.knownEntity(model) != nil
      ? model : name
  }
}
