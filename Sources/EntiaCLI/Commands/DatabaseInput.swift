import EntiaJSON

/// A database that a command reads: what import wrote, or other files with a schema.
enum DatabaseInput {
  /// The options that say how files read that are no databases yet.
  static let options = [
    OptionDescription(
      "--schema", .input("SCHEMA.json"),
      help: "Read files that import has not written, with these entities."),
    OptionDescription(
      "--root", .text("ENTITY"), help: "What the array, object or line at the top holds."),
    OptionDescription(
      "--format", .choice(ImportFormat.allCases.map(\.rawValue)),
      help: "The shape of the files; auto, the default, looks."),
  ]

  /// Reads databases, each from a file of its own.
  ///
  /// Throws `badData` with every problem that is an error, of all files; `usage` when a file's
  /// format cannot be told or needs a schema; and what reading the files throws.
  static func read(
    _ names: [String], _ arguments: ParsedArguments, console: Console
  ) throws(CommandFailure) -> [RecordDatabase] {
    var options = ImportOptions(
      format: arguments.choice("--format") ?? .auto, root: arguments.value("--root"))
    if let name = arguments.value("--schema") {
      switch Schema.parse(try InputFile(name: name).read(), file: name) {
      case .success(let schema): options.schema = schema
      case .failure(let failure):
        throw CommandFailure(.badData, failure.problems.map(\.description))
      }
    }
    var databases: [RecordDatabase] = []
    var problems: [ImportProblem] = []
    for name in names {
      let file = InputFile(name: name)
      let source = try file.stream()
      console.progress("reading \(name)", bytes: max(source.bytes.count, file.size))
      let (database, report) = Importer.importing([source], into: nil, options: options)
      if let database { databases.append(database) }
      problems += report.problems.filter { $0.severity == .error }
    }
    if let problem = problems.first(where: { $0.kind == .unreadable }) {
      throw CommandFailure(.cannotRead, "\(problem.file): \(problem.message)")
    }
    if let failure = Hints.usageFailure(of: problems, arguments) { throw failure }
    if !problems.isEmpty { throw CommandFailure(.badData, problems.map(\.description)) }
    return databases
  }

  /// The option that asks for JSON instead of text.
  static let json = OptionDescription("--json", help: "Print JSON, for programs.")
}
