/// Reads all inputs of an inference.
struct InferenceReading {
  private(set) var reader = SlotReader()
  private(set) var problems: [ImportProblem] = []
  private(set) var roots: [(file: String, slot: InferenceSlot)] = []
  /// The entities that the inputs define themselves.
  private(set) var schema = Schema()
  /// The number of rows of entities that the inputs define themselves, by name.
  private(set) var described: [ExactString: Int] = [:]

  mutating func read(_ source: ImportSource, root: String?) {
    // With a root, all nested formats can be distinguished.
    switch FormatGuess.guess(source, hasRoot: true) {
    case .format(let format):
      do throws(JSONError) {
        try read(source, format, root: root)
      } catch {
        addMalformed(error, source)
      }
    case .scalar(let noun, _):
      add(
        source, .typeMismatch, "expected an array or an object of records, found \(noun)")
    case .unclear(let why): add(source, .usage, "cannot tell the format: \(why)")
    }
  }

  private mutating func read(
    _ source: ImportSource, _ format: ImportFormat, root: String?
  ) throws(JSONError) {
    if format == .jsonapi || format == .graphql { return readDescribed(source, format) }
    if format == .csv { return try readCSV(source, root: root) }
    let before = reader.slots.reduce(0) { $0 + $1.records }
    let result = source.withWindow { window -> Result<Void, JSONError> in
      do throws(JSONError) {
        try read(window, source, format, root: root)
      } catch {
        // If the system failed, the truncated text is not an error of its own.
        if window.failure == nil { return .failure(error) }
      }
      if let failure = window.failure {
        add(source, .unreadable, "the input cannot be read to its end: \(failure)")
      }
      return .success(())
    }
    try result.get()
    if problems.isEmpty, reader.slots.reduce(0, { $0 + $1.records }) == before {
      add(source, .typeMismatch, "there are no records to guess from")
    }
  }

  /// Reads comma-separated values as the JSON lines of an import.
  private mutating func readCSV(
    _ source: ImportSource, root: String?
  ) throws(JSONError) {
    let (table, failure) = source.withWindow { (CSVTable($0), $0.failure) }
    if let failure {
      return add(source, .unreadable, "the input cannot be read to its end: \(failure)")
    }
    for problem in table.problems {
      add(source, .malformedCSV, "line \(problem.line): \(problem.message)")
    }
    guard table.problems.isEmpty else { return }
    try read(CSVLines(table).source(source), .ndjson, root: root)
  }

  private mutating func read(
    _ window: ByteWindow, _ source: ImportSource, _ format: ImportFormat, root: String?
  ) throws(JSONError) {
    var text = JSONReader(window)
    switch format {
    case .tables:
      let layout = source.withWindow { TablesLayout($0) }
      readSchema(layout, source)
      try reader.readTables(layout, schema, from: &text)
    case .django:
      try reader.readDjango(from: &text)
    default:
      let name = root ?? source.entityName
      let slot = reader.slot(name, .root, path: format == .keyed ? "$.*" : "$[]")
      roots.append((source.name, slot))
      if format == .ndjson { return try reader.readLines(slot, window) }
      if format == .keyed {
        try reader.readKeyed(slot, from: &text)
      } else {
        try reader.readNested(slot, from: &text)
      }
    }
    _ = try text.next()
  }

  /// Reads an input that defines its entities itself.
  private mutating func readDescribed(_ source: ImportSource, _ format: ImportFormat) {
    let (database, report) = Importer.importing(
      [source], into: nil, options: ImportOptions(format: format))
    problems += report.problems.filter { $0.severity == .error }
    guard let database else { return }
    if database.isEmpty { return add(source, .typeMismatch, "there are no records to guess from") }
    for (entity, count) in database.countsByEntity() {
      described[ExactString(entity), default: 0] += count
    }
    merge(database.schema, source, at: .root)
  }

  private mutating func readSchema(_ layout: TablesLayout, _ source: ImportSource) {
    guard let text = layout.schema?.bytes else { return }
    var parser = SchemaParser(file: source.name)
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue.parse(text)
    } catch {
      return add(source, .malformedJSON, "its schema cannot be read: \(error.message)")
    }
    let found = parser.schema(value, at: .root.name("schema"))
    problems += parser.problems
    merge(found, source, at: .root.name("schema"))
  }

  private mutating func merge(_ found: Schema, _ source: ImportSource, at place: JSONPath) {
    for disagreement in schema.merge(found) {
      let path = JSONPath(place.steps + disagreement.path)
      problems.append(
        ImportProblem(
          file: source.name, path: path.description, kind: .schemaConflict,
          message: disagreement.message))
    }
  }

  private mutating func add(
    _ source: ImportSource, _ kind: ImportProblem.Kind, _ message: String
  ) {
    problems.append(
      ImportProblem(
        file: source.name, path: JSONPath.root.description, kind: kind, message: message))
  }

  private mutating func addMalformed(_ error: JSONError, _ source: ImportSource) {
    let path = source.withWindow {
      JSONPathFinder.find([error.offset], in: JSONReader($0, maximumDepth: .max))[0]
    }
    problems.append(ImportProblem(error, file: source.name, path: path))
  }
}

extension InferenceReading {
  /// The entities that the inputs define themselves, which are not guesses.
  var descriptions: [SchemaInference.Guess] {
    schema.entities.flatMap { entity -> [SchemaInference.Guess] in
      guard let rows = described[ExactString(entity.name)] else { return [] }
      let reason = "the input says so of its \(rows == 1 ? "1 row" : "\(rows) rows")"
      let idClaim = "an entity, ID in \(entity.idName.quoted)"
      return [
        SchemaInference.Guess(
          subject: entity.name, claim: idClaim, certainty: .sure, reason: reason)
      ]
        + entity.relationships.map { relationship in
          SchemaInference.Guess(
            subject: "\(entity.name).\(relationship.name)", claim: relationship.claim,
            certainty: .sure, reason: "the input names the rows by their types")
        }
    }
  }
}
