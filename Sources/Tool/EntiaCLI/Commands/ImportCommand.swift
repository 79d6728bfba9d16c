import EntiaJSON
import EntiaRecords

/// `entia import`: imports JSON files into one normalized database.
enum ImportCommand: Command {
  static let description = CommandDescription(
    name: "import",
    summary: "Import JSON files into one normalized database",
    discussion: [
      """
      Every entity is stored once, however often the files repeat it. Problems are grouped by their \
      cause, with files and JSON paths, on standard error; the report goes to standard output. All \
      or nothing: when anything is refused, nothing is written. --into adds to a database and \
      writes it back; without it and -o only the report is printed.
      """,
      "nested and ndjson need --root, and --schema or --id.",
      """
      An output whose name ends in .sqlite, .sqlite3 or .db is a SQLite database. SQLite databases are \
      inputs too, also those that something else made: tables become entities, foreign keys \
      relationships.
      """,
      """
      Members that a schema does not name are kept as they are. A row's members are written in the \
      order in which they were read first.
      """,
    ],
    operand: OperandDescription(
      placeholder: "FILE…", repeats: true, help: "The files; '-' reads standard input."),
    options: [
      ReadingOptions.format,
      OptionDescription(
        "--schema", .input("SCHEMA.json"),
        help: "The entities, their ID members and relationships."),
      ReadingOptions.root, ReadingOptions.id, ReadingOptions.at, ReadingOptions.delimiter,
      OptionDescription(
        "--table", .text("TABLE"), repeats: true,
        help: "Of a SQLite database that something else made, only this table; may be repeated."),
      OptionDescription(
        "--into", .inputAndOutput("DB.json"),
        help: "Add to this database, or create it. It is written back, unless -o is another file."
      ),
      OptionDescription(
        "-o", .database("OUT.json"),
        help: "Write the database there; '-' writes to standard output, the report then goes to "
          + "standard error."),
      OptionDescription(
        "--on-conflict", .choice(ConflictPolicy.allCases.map(\.rawValue)),
        help: """
          The treatment of a row that occurs again with another value of a member; default error. \
          Rows whose common members are equal are combined.
          """),
      OptionDescription("--strict", help: "Refuse dangling references."),
      ReportStyle.option, ReportStyle.maximumProblems,
      OptionDescription("--dry-run", help: "Do everything but write."),
      DatabaseOutput.noWait,
      OptionDescription("--quiet", help: "Show no progress on a terminal."),
    ])

  static func run(
    _ arguments: ParsedArguments, console: Console
  ) throws(CommandFailure) -> ExitCode {
    var console = console
    if arguments.has("--quiet") { console.isTerminal = false }
    let destination = try ImportDestination(arguments, console: console)
    let (options, schemaProblems) = try ReadingOptions.read(arguments)
    // The inputs are opened only once, because only one source can read a pipe.
    var sources: [ImportSource]?
    let (database, report, isWritten) = try destination.write(console: console) {
      holds throws(CommandFailure) in
      let (base, problems) = try destination.readBase(holding: holds, console: console)
      let (database, report) = try importing(
        arguments, options, schemaProblems + problems, into: base, &sources,
        comparesAsStored: destination.isUsedByProgram, console: console)
      return (base, database, report)
    }
    let style = ReportStyle(arguments)
    if style == .text {
      let maximum =
        arguments.count(ReportStyle.maximumProblems.name) ?? ImportProblems.maximumListed
      console.complain(
        ImportProblems(report.problems).lines(maximum: maximum)
          + Hints.advice(for: report, arguments))
    }
    var text = style.render(report)
    if style == .text, database != nil { text += destination.sentence(isWritten: isWritten) }
    try console.print(
      text, to: destination.isStandardOutput ? .error : .output,
      afterWriting: isWritten ? destination.writtenFile : nil)
    SystemCalls.keepUntilEnd(database)
    return database == nil ? .badData : .success
  }

  private static func importing(
    _ arguments: ParsedArguments, _ options: ImportOptions, _ problems: [ImportProblem],
    into base: RecordDatabase?, _ opened: inout [ImportSource]?, comparesAsStored: Bool,
    console: Console
  ) throws(CommandFailure) -> (database: RecordDatabase?, report: ImportReport) {
    var options = options
    options.onConflict = arguments.choice("--on-conflict") ?? .error
    options.strict = arguments.has("--strict")
    // The links are not needed, because the database is only written.
    options.defersLinks = true
    options.comparesAsStored = base != nil && comparesAsStored
    try DatabaseInput.refuseUnreadable(problems)
    if opened == nil { opened = try Self.sources(arguments, console: console) }
    let sources = opened ?? []
    // If the schema or the base has problems, nothing is imported, because every record would then
    // be reported as well.
    if !problems.isEmpty { return (nil, ImportReport(problems: problems)) }

    let size = arguments.operands.reduce(0) { $0 + InputFile(name: $1).size }
    let meter = ProgressMeter(console, total: size)
    if let meter { options.onProgress = { progress in meter.show(progress) } }
    let (database, report) = Importer.importing(sources, into: base, options: options)
    meter?.end()
    try DatabaseInput.refuseUnreadable(report.problems)
    let schema = options.schema ?? base?.schema
    if let failure = try Hints.usageFailure(of: report.problems, arguments, schema: schema) {
      throw failure
    }
    return (database, report)
  }

  private static func sources(
    _ arguments: ParsedArguments, console: Console
  ) throws(CommandFailure) -> [ImportSource] {
    var sources: [ImportSource] = []
    for name in arguments.operands {
      sources.append(
        try InputFile(name: name).stream(
          tables: arguments.has("--table") ? arguments.values("--table") : nil,
          note: { notes in console.complain(notes.map { "\(name): \($0)" }) }))
    }
    return sources
  }
}
