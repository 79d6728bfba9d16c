import EntiaJSON
import EntiaRecords

#if ENTIA_POSTGRESQL
  import EntiaPostgreSQL
#endif

/// `entia pull`: writes a space of a PostgreSQL server into a database file.
enum PullCommand: Command {
  static let description = CommandDescription(
    name: "pull",
    summary: "Write a space of a PostgreSQL server into a database file",
    discussion: [
      """
      Reads one version of the space and writes it to OUT: a SQLite database if its name ends in \
      .sqlite, .sqlite3 or .db, otherwise JSON. A space that a program wrote has an entity for each of \
      its tables; IDs that the program holds are left out. JSON has the rows of a table in the order of \
      their IDs, and 1e999 for an infinite number; SQLite keeps the order of an ordered table.
      """,
      SpaceArguments.note,
    ],
    operands: [],
    options: [SpaceArguments.from, SpaceArguments.space, .database("OUT")])

  static func run(
    _ arguments: ParsedArguments, console: Console
  ) throws(CommandFailure) -> ExitCode {
    #if ENTIA_POSTGRESQL
      let connection = SpaceArguments.connection(SpaceArguments.from, arguments, console: console)
      let output = arguments.output
      if SQLiteFile.isName(output.name) { try SQLiteFile.check(output.name) }
      let name = arguments.value(SpaceArguments.space.name) ?? ""
      let json: [UInt8]
      let notes: [String]
      do {
        (json, notes) = try RecordSpace(connecting: connection, space: name).read()
      } catch {
        throw CommandFailure(error, of: SpaceArguments.from)
      }
      console.complain(notes.map { "space '\(name)': \($0)" })
      let (database, report) = RecordDatabase.read(
        ImportSource(name: "space '\(name)'", bytes: json))
      guard let database else { throw CommandFailure(report.problems) }
      try output.write(database, showing: console)
      SystemCalls.keepUntilEnd(database)
      return .success
    #else
      throw SpaceArguments.unavailable
    #endif
  }
}

/// `entia push`: writes a database into a space of a PostgreSQL server.
enum PushCommand: Command {
  private static let replace = OptionDescription(
    "--replace", help: "Replace the rows of a space that has some.")

  static let description = CommandDescription(
    name: "push",
    summary: "Write a database into a space of a PostgreSQL server",
    discussion: [
      """
      The rows of each entity become those of the table with its name, so that programs whose entities \
      match can load them; pull gives the same rows back. It is one change: programs that share \
      the space load it again. A space that does not exist is created. One that has rows is refused, \
      unless --replace is given; then all its rows are replaced, also those of tables that DB lacks.
      """,
      SpaceArguments.note,
    ],
    operand: OperandDescription(
      placeholder: "DB", help: "What import -o wrote, JSON or SQLite, or an app's SQLite database."),
    options: [SpaceArguments.to, SpaceArguments.space, replace])

  static func run(
    _ arguments: ParsedArguments, console: Console
  ) throws(CommandFailure) -> ExitCode {
    #if ENTIA_POSTGRESQL
      let connection = SpaceArguments.connection(SpaceArguments.to, arguments, console: console)
      let name = arguments.value(SpaceArguments.space.name) ?? ""
      let database = try DatabaseInput.database(arguments.operands[0], console: console)
      do {
        let space = try RecordSpace(connecting: connection, space: name)
        try space.write(database, replacingRows: arguments.has(replace.name))
      } catch let error as UntypedSpace.NotEmpty {
        throw CommandFailure(
          .cannotWrite,
          [
            "space '\(name)' has \(error.count.counted("row")); nothing was written",
            "  \(replace.name) replaces them; 'entia pull' saves them first",
          ])
      } catch {
        throw CommandFailure(error, of: SpaceArguments.to)
      }
      try console.print("pushed \(database.count.counted("row")) into space '\(name)'\n")
      SystemCalls.keepUntilEnd(database)
      return .success
    #else
      throw SpaceArguments.unavailable
    #endif
  }
}

/// `entia share install`: creates Entia's tables in a PostgreSQL database.
enum ShareInstallCommand: Command {
  static let description = CommandDescription(
    name: "share install",
    summary: "Create the tables of shared databases in a PostgreSQL database",
    discussion: [
      """
      Once for each database, by a role that may create tables in it; repeating it does nothing. \
      Programs that share need no such right. --print prints the statements for psql instead, and \
      touches nothing.
      """,
      SpaceArguments.note,
    ],
    operands: [],
    options: [
      OptionDescription(
        SpaceArguments.to.name, SpaceArguments.to.argument, help: SpaceArguments.to.help),
      OptionDescription("--print", help: "Print the SQL; no server is needed."),
    ])

  static func run(
    _ arguments: ParsedArguments, console: Console
  ) throws(CommandFailure) -> ExitCode {
    let option = SpaceArguments.to
    guard arguments.has("--print") || arguments.has(option.name) else {
      throw CommandFailure(.usage, ["missing \(option.usage)"], showsUsage: true)
    }
    #if ENTIA_POSTGRESQL
      let connection = SpaceArguments.connection(option, arguments, console: console)
      if arguments.has("--print") {
        try console.print(UntypedSpace.installationScript)
        return .success
      }
      do {
        try UntypedSpace.install(connecting: connection)
      } catch {
        throw CommandFailure(error, of: option)
      }
      try console.print("the tables are installed\n")
      return .success
    #else
      throw SpaceArguments.unavailable
    #endif
  }
}
