import EntiaJSON

/// `entia stats`: prints statistics of a database.
enum StatsCommand: Command {
  static let description = CommandDescription(
    name: "stats",
    summary: "Count what a database holds",
    discussion: [
      """
      Rows of each entity; references of each relationship, with the rows that hold the most and \
      that the most name; orphans, that is references to rows that do not exist, and rows that \
      nothing names; the longest chains of references, and the cycles among them. A cycle counts \
      as one row of a chain.
      """,
      "Files that import has not written are read with --schema, and nested ones with --root too.",
    ],
    operand: OperandDescription(
      placeholder: "DB.json", help: "What import -o wrote; '-' reads standard input."),
    options: DatabaseInput.options + [DatabaseInput.json])

  static func run(
    _ arguments: ParsedArguments, console: Console
  ) throws(CommandFailure) -> ExitCode {
    let databases = try DatabaseInput.read(arguments.operands, arguments, console: console)
    let statistics = databases[0].statistics()
    try console.print(
      arguments.has(DatabaseInput.json.name)
        ? String(decoding: statistics.json(), as: UTF8.self) : statistics.text())
    return .success
  }
}
