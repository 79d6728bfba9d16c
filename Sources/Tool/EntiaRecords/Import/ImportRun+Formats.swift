import EntiaCoding
import EntiaJSON

extension ImportRun {
  /// Recognizes the format of each input.
  mutating func recognizeFormats() {
    for index in inputs.indices {
      stage.file = index
      let source = inputs[index].source
      guard options.format == .auto else {
        inputs[index].format = options.format
        continue
      }
      switch FormatGuess.guess(
        source, hasRoot: options.root != nil,
        hasSchema: options.schema != nil || !stage.base.schema.isEmpty, at: options.at)
      {
      case .format(let format): inputs[index].format = format
      case .unclear(let why):
        // For a page of records, the message contains the path of the records, which helps more
        // than a list of formats.
        add(
          .usage,
          "the format cannot be recognized: \(why); "
            + (pathToRecords(index)?.text ?? "set it with --format \(Self.choices)"))
      case .scalar(let kindDescription, let offset):
        addMismatch(
          at: offset, "expected an array or an object of records, found \(kindDescription)")
      }
    }
    refuseMixedFormats()
  }

  /// Reports each JSON document whose format differs from that of the first document. Such a
  /// document among pages of records may be the error response of a server.
  private mutating func refuseMixedFormats() {
    if options.format != .auto || options.mixesFormats { return }
    let documents = inputs.filter { ![nil, .csv, .ndjson].contains($0.format) }
    guard let first = documents.first, let format = first.format else { return }
    for index in inputs.indices {
      guard let other = inputs[index].format, ![format, .csv, .ndjson].contains(other) else {
        continue
      }
      stage.file = index
      add(
        .usage,
        "this looks like \(other.rawValue), and \(first.source.name) like \(format.rawValue): "
          + "import each format alone, or add --format auto to recognize each file")
    }
  }

  /// Merges the schemas of the options, the database and the inputs.
  mutating func mergeSchemas() {
    var schema = stage.base.schema
    if let given = options.schema { merge(given, into: &schema, file: "the schema", at: .root) }
    for index in inputs.indices where inputs[index].format == .tables {
      stage.file = index
      let source = inputs[index].source
      let layout = source.withWindow { TablesLayout($0, at: options.at) }
      inputs[index].tables = layout
      guard let text = layout.schema else { continue }
      var parser = SchemaParser(file: source.name)
      do {
        let value = try JSONValue.parse(text.bytes)
        let found = parser.schema(value, at: .root.name("schema"))
        for problem in parser.problems { stage.problems.add(problem, file: index) }
        merge(found, into: &schema, file: source.name, at: .root.name("schema"), index: index)
      } catch {
        // The offset of the error is relative to the schema, so the error is reported with an
        // offset in the input.
        stage.problems.add(
          error.kind == .duplicateName ? .duplicateKey : .malformedJSON,
          at: stage.origin(text.start + error.offset), error.message)
      }
    }
    stage.adopt(schema)
    mergedSchema = stage.schema
  }

  private func merge(
    _ other: Schema, into schema: inout Schema, file: String, at path: JSONPath, index: Int = -1
  ) {
    for problem in schema.merge(other, from: file, at: path) {
      stage.problems.add(problem, file: index)
    }
  }

  /// Returns whether inputs of a format can be read with the given options. Reports a problem if
  /// not.
  func canRead(_ format: ImportFormat) -> Bool {
    if format == .csv, options.at != nil {
      add(.usage, "--at is a path in JSON and cannot be used with csv; leave it out")
      return false
    }
    guard [.nested, .ndjson, .keyed].contains(format) else { return true }
    guard let root = options.root, !stage.schema.isEmpty else {
      add(.usage, "\(format.rawValue) input needs --root, and --schema or --id")
      return false
    }
    guard stage.knownEntity(root) == nil else { return true }
    addUnknownRoot(root)
    return false
  }

  /// The formats that can be requested.
  private static var choices: String {
    let names = ImportFormat.allCases.filter { $0 != .auto }.map(\.rawValue)
    return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
  }

  func addUnknownRoot(_ root: String) {
    let names = stage.entities.map(\.name).sorted { $0.precedesExactly($1) }
    add(
      .usage,
      "--root \(root.quoted) is no entity of the schema"
        + Suggestion.sentence(for: root, among: names))
  }
}
