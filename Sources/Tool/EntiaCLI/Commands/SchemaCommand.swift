import EntiaDatabase
import EntiaJSON
import EntiaRecords

/// `entia schema`: prints a schema for people to read, or guesses one from data.
enum SchemaCommand: Command {
  static let description = CommandDescription(
    name: "schema",
    summary: "Print a schema, or guess one from data",
    discussion: [
      """
      Of a schema, lists the entities with their ID members, and the relationships between them. \
      Of data, guesses a schema and prints it ready to edit and to give to import --schema: \
      records with an ID are entities, and members whose objects have IDs, or whose values are IDs \
      of an entity, are relationships. The certainty and the reason of each guess are printed on \
      standard error, with the matches that may be coincidences, which are left out. No schema is \
      printed if records have no ID, because an import with it would be refused; --force prints it.
      """,
      """
      A schema is {"entities": {"posts": {"id": "id", "relationships": {"author": {"to": "authors"}, \
      "tags": {"to": "tags", "many": true}}}, "authors": {}, "tags": {}}}. "to" may be an object of \
      types and entities, distinguished by the member "by". "id" may list the members of a composite \
      ID. "idFromParent": true derives the ID of a record without one from the row that contains it. \
      "aliases" maps names in a GraphQL response to members: {"writer": "author"}.
      """,
      "With --mermaid the output is an erDiagram, which many viewers of Markdown draw.",
    ],
    operand: OperandDescription(
      placeholder: "FILE…", repeats: true,
      help: "A schema, as import --schema takes it, or files of data, as import does; '-' reads "
        + "standard input."),
    options: [
      OptionDescription("--mermaid", help: "Print a Mermaid diagram."),
      OptionDescription(
        "--root", .text("ENTITY"),
        help: "The entity at the top level of nested data; default the file's name."),
      ReadingOptions.at,
      OptionDescription(
        "--force", help: "Print a guessed schema even if records have no ID."),
      .output("OUT"),
    ])

  static func run(
    _ arguments: ParsedArguments, console: Console
  ) throws(CommandFailure) -> ExitCode {
    var sources: [ImportSource] = []
    var meters: [ProgressMeter] = []
    defer { for meter in meters { meter.end() } }
    for name in arguments.operands {
      let file = InputFile(name: name)
      let meter = ProgressMeter(console, label: "reading \(file.spokenName)", total: file.size)
      if let meter { meters.append(meter) }
      sources.append(
        try file.stream(progress: meter?.showBytes) { notes in
          console.complain(notes.map { "\(name): \($0)" })
        })
    }
    let bytes: [UInt8]
    if sources.count == 1, Schema.looksLikeSchema(sources[0]) {
      bytes = try described(sources[0], asDiagram: arguments.has("--mermaid"))
    } else {
      bytes = try guessed(sources, arguments, console: console)
    }
    try arguments.output.write(bytes)
    return .success
  }

  private static func described(
    _ source: ImportSource, asDiagram: Bool
  ) throws(CommandFailure) -> [UInt8] {
    switch Schema.read(source) {
    case .failure(let failure):
      try DatabaseInput.refuseUnreadable(failure.problems)
      throw CommandFailure(failure.problems)
    case .success(let schema):
      let schema = schema.storageSchema(name: source.name)
      return Array(((asDiagram ? schema.mermaid : schema.description) + "\n").utf8)
    }
  }

  private static func guessed(
    _ sources: [ImportSource], _ arguments: ParsedArguments, console: Console
  ) throws(CommandFailure) -> [UInt8] {
    let path = try ReadingOptions.path(arguments)
    switch SchemaInference.inferring(
      from: sources, root: arguments.value("--root"), at: path)
    {
    case .failure(let failure):
      try DatabaseInput.refuseUnreadable(failure.problems)
      let usage = failure.problems.filter { $0.kind == .usage }
      if !usage.isEmpty {
        throw CommandFailure(.usage, usage.map { "\($0.file): \($0.message)" })
      }
      var messages = CommandFailure(failure.problems).messages
      let unread = failure.problems.filter { path == nil && $0.kind == .typeMismatch }
      for file in Set(unread.map(\.file)).sorted() {
        try messages.append(contentsOf: advice(for: file))
      }
      throw CommandFailure(.badData, messages)
    case .success(let inference):
      try console.print(inference.explanation(), to: .error)
      if !inference.withoutIDs.isEmpty, !arguments.has("--force") {
        throw try withoutIDs(inference, in: sources.map(\.name))
      }
      guard arguments.has("--mermaid") else { return inference.bytes() }
      let name = sources.map(\.name).joined(separator: ", ")
      return Array((inference.schema.storageSchema(name: name).mermaid + "\n").utf8)
    }
  }

  /// Returns advice on the path of a file's records, if its root object contains one array of
  /// objects.
  private static func advice(for file: String) throws(CommandFailure) -> [String] {
    guard let path = try Hints.pathToRecords(in: file) else { return [] }
    return [
      "if \(path) holds the records: \(Hints.schemaCommand(for: file, at: path.description))"
    ]
  }

  /// Returns the failure for a guessed schema in which entities lack IDs. An import with this
  /// schema would be refused.
  private static func withoutIDs(
    _ inference: SchemaInference, in files: [String]
  ) throws(CommandFailure) -> CommandFailure {
    var messages = inference.withoutIDs.map { guess in
      let own = inference.roots.filter { $0.entity == guess.subject }.map(\.file)
      let named = own.isEmpty ? files : own
      return named.prefix(3).joined(separator: ", ") + (named.count > 3 ? ", …" : "")
        + ": \(guess.subject) has no ID that serves: \(guess.reason)"
    }
    for (file, entity) in inference.roots
    where inference.path == nil && inference.withoutIDs.contains(where: { $0.subject == entity }) {
      try messages.append(contentsOf: advice(for: file))
    }
    var records = inference.path?.description.dropFirst() ?? ""
    if !records.isEmpty { records = (records.hasPrefix(".") ? "" : ".") + records + " |= " }
    let nested = inference.nestedIDs.first { nested in
      inference.withoutIDs.contains { $0.subject == nested.entity }
    }
    if let nested {
      messages.append(
        "an ID inside another member, such as \(nested.path), has to be moved up first: jq "
          + "'\(records)map(.id = .\(nested.path))'")
    }
    messages.append(
      "no schema is printed, because an import with it would be refused; --force prints it, to name "
        + "the ID in it: a member, or several that make one")
    return CommandFailure(.badData, messages)
  }
}
