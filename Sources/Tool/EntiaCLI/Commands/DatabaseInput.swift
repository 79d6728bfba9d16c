import EntiaJSON
import EntiaRecords

/// The databases that a command reads: files that `import` wrote, or other files with a schema.
enum DatabaseInput {
  /// The options for reading files that are not databases yet.
  static let options = [
    OptionDescription(
      "--schema", .input("SCHEMA.json"),
      help: "Read files that import has not written, with these entities."),
    ReadingOptions.root, ReadingOptions.id, ReadingOptions.at, ReadingOptions.format,
    ReadingOptions.delimiter,
  ]

  /// Reads databases, each from its own file.
  ///
  /// - Throws: A failure with `badData` and all errors of all files; `usage` if a file's format
  ///   cannot be detected or needs a schema; and the errors of reading the files.
  static func read(
    _ names: [String], _ arguments: ParsedArguments, console: Console
  ) throws(CommandFailure) -> [RecordDatabase] {
    var (options, schemaProblems) = try ReadingOptions.read(arguments)
    try refuseUnreadable(schemaProblems)
    if !schemaProblems.isEmpty { throw CommandFailure(schemaProblems) }
    var databases: [RecordDatabase] = []
    var problems: [ImportProblem] = []
    for name in names {
      options.typedBeside = try tables(among: names.filter { $0 != name }, options.format)
      let (database, report) = try InputFile(name: name).reading(console) { source in
        Importer.importing([source], into: nil, options: options)
      }
      if let database { databases.append(database) }
      problems += report.problems.filter { $0.severity == .error }
    }
    try refuseUnreadable(problems)
    if let failure = try Hints.usageFailure(of: problems, arguments, schema: options.schema) {
      throw failure
    }
    if !problems.isEmpty { throw CommandFailure(problems) }
    return databases
  }

  /// Returns the CSV files among the inputs. A pipe is left out, because it can be read only once.
  private static func tables(
    among names: [String], _ format: ImportFormat
  ) throws(CommandFailure) -> [ImportSource] {
    var tables: [ImportSource] = []
    for file in names.map(InputFile.init) where file.identity != nil {
      if format == .csv || format == .auto && FormatGuess.format(ofName: file.name) == .csv {
        tables.append(try file.stream())
      }
    }
    return tables
  }

  /// Reads a database that `import` wrote.
  ///
  /// - Throws: A failure with `badData` and all problems, and the errors of reading the file.
  static func database(
    _ name: String, console: Console
  ) throws(CommandFailure) -> RecordDatabase {
    try Self.database(
      name,
      try InputFile(name: name).reading(console) { source in RecordDatabase.read(source) })
  }

  /// Returns the database that was read from a file.
  ///
  /// - Throws: A failure with `badData` and all problems, or with `cannotRead`.
  static func database(
    _ name: String, _ reading: (database: RecordDatabase?, report: ImportReport)
  ) throws(CommandFailure) -> RecordDatabase {
    let (database, report) = reading
    try refuseUnreadable(report.problems)
    guard let database else {
      let problems = Hints.explained(report.problems, option: "'\(name)'")
      throw CommandFailure(problems)
    }
    return database
  }

  /// Throws a failure with `cannotRead` if an input could not be read completely.
  static func refuseUnreadable(_ problems: [ImportProblem]) throws(CommandFailure) {
    guard let problem = problems.first(where: { $0.kind == .unreadable }) else { return }
    throw CommandFailure(.cannotRead, "\(problem.file): \(problem.message)")
  }

  /// A paragraph for the description of a command: how to read files that `import` has not written.
  static let note =
    "Files that import has not written are read with --schema, and nested ones with --root too."

  static let json = OptionDescription("--json", help: "Print JSON, for programs.")
}
