import EntiaJSON
import EntiaRecords

/// `entia diff`: prints the differences between two databases.
enum DiffCommand: Command {
  static let description = CommandDescription(
    name: "diff",
    summary: "Print how one database differs from another",
    discussion: [
      """
      Lists the rows that were inserted (+), removed (-) and updated (~), with each member's old \
      and new value, and what changed of the schema and the result. The order of rows in the files \
      does not matter. The exit code is 0 if the databases are equal, and 1 if they differ.
      """,
      DatabaseInput.note,
    ],
    operands: [
      OperandDescription(
        placeholder: "OLD.json", help: "What import -o wrote; '-' reads standard input."),
      OperandDescription(placeholder: "NEW.json", help: "The newer database."),
    ],
    options: DatabaseInput.options + [DatabaseInput.json])

  static func run(
    _ arguments: ParsedArguments, console: Console
  ) throws(CommandFailure) -> ExitCode {
    let databases = try DatabaseInput.read(arguments.operands, arguments, console: console)
    let difference = databases[1].difference(from: databases[0])
    try console.print(
      arguments.has(DatabaseInput.json.name)
        ? String(decoding: difference.json(), as: UTF8.self) : difference.text())
    return difference.isEmpty ? .success : .different
  }
}
