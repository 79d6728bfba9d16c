import EntiaCoding
import EntiaJSON

/// Reads all inputs of an inference.
struct InferenceReading {
  /// The path of the records in each input, or nil for the whole input.
  private let path: JSONPath?
  private(set) var reader = SlotReader()
  private(set) var problems: [ImportProblem] = []
  /// The inputs whose formats define the entities of their records, by format.
  private var describing: [(format: ImportFormat, sources: [ImportSource])] = []
  private(set) var roots: [(file: String, slot: InferenceSlot)] = []
  /// The entities that the inputs define.
  private(set) var schema = Schema()
  /// The number of rows of each entity in the inputs of `describing`, by name.
  private(set) var described: [ExactString: Int] = [:]

  init(at path: JSONPath?) { self.path = path }

  mutating func read(_ source: ImportSource, root: String?) {
    // `hasRoot` is true in any case, so that nested formats are recognized even without a given
    // root.
    switch FormatGuess.guess(source, hasRoot: true, at: path) {
    case .format(let format):
      do throws(JSONError) {
        try read(source, format, root: root)
      } catch {
        addMalformed(error, source)
      }
    case .scalar(let kindDescription, _):
      add(
        source, .typeMismatch, "expected an array or an object of records, found \(kindDescription)"
      )
    case .unclear(let why): add(source, .usage, "the format cannot be recognized: \(why)")
    }
  }

  private mutating func read(
    _ source: ImportSource, _ format: ImportFormat, root: String?
  ) throws(JSONError) {
    if format == .jsonapi || format == .graphql {
      if let index = describing.firstIndex(where: { $0.format == format }) {
        describing[index].sources.append(source)
      } else {
        describing.append((format, [source]))
      }
      return
    }
    if format == .csv {
      if path == nil { return try readCSV(source, root: root) }
      return add(source, .usage, "--at is a path in JSON and cannot be used with csv; leave it out")
    }
    let before = reader.slots.reduce(0) { $0 + $1.records }
    let result = source.withWindow { window -> Result<Void, JSONError> in
      do throws(JSONError) {
        try read(window, source, format, root: root)
      } catch {
        // If the system failed, the truncated text is not reported as another error.
        if window.failure == nil { return .failure(error) }
      }
      if let failure = window.failure {
        problems.append(ImportProblem(unreadable: source.name, failure))
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
      return problems.append(ImportProblem(unreadable: source.name, failure))
    }
    for problem in table.problems {
      add(source, .malformedCSV, "line \(problem.line): \(problem.message)")
    }
    guard table.problems.isEmpty else { return }
    let lines = CSVLines(names: table.columns.map(\.name), forms: table.columns.map(\.form))
    try read(lines.source(source), .ndjson, root: root)
  }

  private mutating func read(
    _ window: ByteWindow, _ source: ImportSource, _ format: ImportFormat, root: String?
  ) throws(JSONError) {
    var text = JSONReader(window)
    if format != .ndjson, let path, let problem = try text.descend(to: path) {
      return add(
        source, .typeMismatch, "there are no records at \(path): \(problem)")
    }
    defer { reader.path = nil }
    reader.path = path
    switch format {
    case .tables:
      let layout = source.withWindow { TablesLayout($0, at: path) }
      readSchema(layout, source)
      try reader.readTables(layout, schema, from: &text)
    case .django:
      try reader.readDjango(from: &text)
    default:
      let name = root ?? source.entityName
      let place = (path ?? .root).description
      let slot = reader.slot(name, .root, path: place + (format == .keyed ? ".*" : "[]"))
      roots.append((source.name, slot))
      if format == .ndjson { return try reader.readLines(slot, window) }
      if format == .keyed {
        try reader.readKeyed(slot, from: &text)
      } else {
        try reader.readNested(slot, from: &text)
      }
    }
    if let path { _ = try text.ascend(from: path) }
    _ = try text.next()
  }

  /// Reads the inputs whose formats define the entities. Inputs of one format are read together.
  mutating func readDescribed() {
    for (format, sources) in describing { readDescribed(sources, format) }
  }

  private mutating func readDescribed(_ sources: [ImportSource], _ format: ImportFormat) {
    let source = sources[0]
    var options = ImportOptions(format: format)
    options.at = path
    let (database, report) = Importer.importing(sources, into: nil, options: options)
    guard let database else {
      problems += report.problems
      return
    }
    if database.isEmpty { return add(source, .typeMismatch, "there are no records to guess from") }
    for (entity, count) in database.countsByEntity() {
      described[ExactString(entity), default: 0] += count
    }
    problems += schema.merge(database.schema, from: source.name, at: .root)
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
    problems += schema.merge(found, from: source.name, at: .root.name("schema"))
  }

  private mutating func add(
    _ source: ImportSource, _ kind: ImportProblem.Kind, _ message: String
  ) {
    problems.append(ImportProblem(in: source.name, kind, message))
  }

  private mutating func addMalformed(_ error: JSONError, _ source: ImportSource) {
    let path = source.withWindow {
      JSONPathFinder.find([error.offset], in: JSONReader($0, maximumDepth: .max))[0]
    }
    problems.append(ImportProblem(error, file: source.name, path: path))
  }
}

extension InferenceReading {
  /// Statements about the entities that the formats of inputs define. These entities are not
  /// guessed.
  var descriptions: [SchemaInference.Guess] {
    schema.entities.flatMap { entity -> [SchemaInference.Guess] in
      guard let rows = described[ExactString(entity.name)] else { return [] }
      let reason = "declared by the input for its \(rows.counted("row"))"
      let idClaim = "an entity, ID in \(entity.idName.quoted)"
      return [
        SchemaInference.Guess(
          subject: entity.name, claim: idClaim, certainty: .sure, reason: reason)
      ]
        + entity.relationships.map { relationship in
          SchemaInference.Guess(
            subject: "\(entity.name).\(relationship.name)", claim: relationship.claim,
            certainty: .sure, reason: "the input's references include the type")
        }
    }
  }
}
