import EntiaJSON
import EntiaRecords

/// `entia stats`: prints statistics of a database.
enum StatsCommand: Command {
  static let description = CommandDescription(
    name: "stats",
    summary: "Print statistics of a database",
    discussion: [
      """
      Rows of each entity; references of each relationship, with the rows that have the most \
      references and those with the most references to them; orphans: references to rows that do \
      not exist, and rows without a reference to them; the longest chains of references, and their \
      cycles. A cycle counts as one row of a chain.
      """,
      """
      Of a SQLite file in which a program keeps ages or answers, also their numbers and times.
      """,
      DatabaseInput.note,
    ],
    operand: OperandDescription(
      placeholder: "DB.json", help: "What import -o wrote; '-' reads standard input."),
    options: DatabaseInput.options + [DatabaseInput.json])

  static func run(
    _ arguments: ParsedArguments, console: Console
  ) throws(CommandFailure) -> ExitCode {
    let databases = try DatabaseInput.read(arguments.operands, arguments, console: console)
    let statistics = databases[0].statistics()
    let freshness = try SQLiteFile.freshness(of: arguments.operands[0])
    try console.print(
      arguments.has(DatabaseInput.json.name)
        ? String(decoding: statistics.json(adding: freshness?.write), as: UTF8.self)
        : statistics.text() + (freshness.map { "\n" + $0.text } ?? ""))
    return .success
  }
}
