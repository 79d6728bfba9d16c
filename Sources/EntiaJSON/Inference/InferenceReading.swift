/// Reads all inputs of an inference.
struct InferenceReading {
  private(set) var reader = SlotReader()
  private(set) var problems: [ImportProblem] = []
  private(set) var roots: [(file: String, slot: InferenceSlot)] = []
  /// What the inputs themselves say of their entities.
  private(set) var schema = Schema()

  mutating func read(_ source: ImportSource, root: String?) {
    // With a root everything that can be nested is told apart without asking.
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
    let before = reader.slots.reduce(0) { $0 + $1.records }
    try source.bytes.withUnsafeBufferPointer { (bytes) throws(JSONError) in
      var text = JSONReader(bytes)
      if format == .tables {
        let layout = TablesLayout(ByteWindow(bytes))
        readSchema(layout, source)
        try reader.readTables(layout, schema, from: &text)
      } else if format == .django {
        try reader.readDjango(bytes, from: &text)
      } else if format != .nested, format != .ndjson {
        add(
          source, .usage,
          "\(format.rawValue) files say themselves what they hold; import them as they are")
      } else {
        let name = root ?? Self.name(of: source.name)
        let slot = reader.slot(name, .root, path: "$[]")
        roots.append((source.name, slot))
        if format == .ndjson { return try reader.readLines(slot, bytes) }
        try reader.readNested(slot, from: &text)
      }
      _ = try text.next()
    }
    if problems.isEmpty, reader.slots.reduce(0, { $0 + $1.records }) == before {
      add(source, .typeMismatch, "there are no records to guess from")
    }
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
    for disagreement in schema.merge(found) {
      let path = JSONPath(JSONPath.root.name("schema").steps + disagreement.path)
      problems.append(
        ImportProblem(
          file: source.name, path: path.description, kind: .schemaConflict,
          message: disagreement.message))
    }
  }

  /// The name of an input up to the first point, without folders.
  private static func name(of file: String) -> String {
    let last = file.split(separator: "/").last.map(String.init) ?? file
    let name = last.prefix { $0 != "." }
    return name.isEmpty || name == "-" ? "records" : String(name)
  }

  private mutating func add(
    _ source: ImportSource, _ kind: ImportProblem.Kind, _ message: String
  ) {
    problems.append(
      ImportProblem(
        file: source.name, path: JSONPath.root.description, kind: kind, message: message))
  }

  private mutating func addMalformed(_ error: JSONError, _ source: ImportSource) {
    let path = source.bytes.withUnsafeBufferPointer {
      JSONPathFinder.paths(at: [error.offset], in: $0)[0]
    }
    problems.append(ImportProblem(error, file: source.name, path: path))
  }
}
