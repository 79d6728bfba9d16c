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
      switch Schema.read(try InputFile(name: name).stream()) {
      case .success(let schema): options.schema = schema
      case .failure(let failure):
        try refuseUnreadable(failure.problems)
        throw CommandFailure(failure.problems)
      }
    }
    var databases: [RecordDatabase] = []
    var problems: [ImportProblem] = []
    for name in names {
      let (database, report) = try InputFile(name: name).reading(console) { source in
        Importer.importing([source], into: nil, options: options)
      }
      if let database { databases.append(database) }
      problems += report.problems.filter { $0.severity == .error }
    }
    try refuseUnreadable(problems)
    if let failure = Hints.usageFailure(of: problems, arguments, schema: options.schema) {
      throw failure
    }
    if !problems.isEmpty { throw CommandFailure(problems) }
    return databases
  }

  /// Reads one database, as import writes it.
  ///
  /// Throws `badData` with every problem, and what reading the file throws.
  static func database(
    _ name: String, console: Console
  ) throws(CommandFailure) -> RecordDatabase {
    let (database, report) = try InputFile(name: name).reading(console) { source in
      RecordDatabase.read(source)
    }
    try refuseUnreadable(report.problems)
    guard let database else {
      let problems = Hints.explained(report.problems, option: "'\(name)'")
      throw CommandFailure(problems)
    }
    return database
  }

  /// Throws `cannotRead` if the system did not give all bytes of an input.
  static func refuseUnreadable(_ problems: [ImportProblem]) throws(CommandFailure) {
    guard let problem = problems.first(where: { $0.kind == .unreadable }) else { return }
    throw CommandFailure(.cannotRead, "\(problem.file): \(problem.message)")
  }

  /// The option that asks for JSON instead of text.
  static let json = OptionDescription("--json", help: "Print JSON, for programs.")
}
