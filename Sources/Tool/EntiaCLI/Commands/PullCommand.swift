import EntiaJSON
import EntiaRecords

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
