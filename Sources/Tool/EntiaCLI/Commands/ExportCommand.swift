import EntiaJSON

/// `entia export`: writes a database into a file of another kind.
enum ExportCommand: Command {
  static let description = CommandDescription(
    name: "export",
    summary: "Write a database as JSON, or as a SQLite database",
    discussion: [
      """
      Reads a database of either kind and writes it to OUT: a SQLite database if its name ends in \
      .sqlite, .sqlite3 or .db, otherwise JSON. Both have the same rows. JSON has the members of each row in \
      the order in which they were read; SQLite has them in the order of the columns, and so has \
      JSON that is exported from it.
      """
    ],
    operand: OperandDescription(
      placeholder: "DB", help: "What import -o wrote, JSON or SQLite, or an app's SQLite database."),
    options: [.database("OUT")])

  static func run(
    _ arguments: ParsedArguments, console: Console
  ) throws(CommandFailure) -> ExitCode {
    let output = arguments.output
    if SQLiteFile.isName(output.name) { try SQLiteFile.check(output.name) }
    let database = try DatabaseInput.database(arguments.operands[0], console: console)
    try output.write(database, showing: console)
    SystemCalls.keepUntilEnd(database)
    return .success
  }
}
