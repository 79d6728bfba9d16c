import EntiaJSON
import EntiaRecords

/// `entia verify`: lists the problems of a database.
enum VerifyCommand: Command {
  static let description = CommandDescription(
    name: "verify",
    summary: "List the problems of a database",
    discussion: [
      "Dangling references are problems here. The exit code is 0 if there are none, and 65 otherwise.",
      "Of a SQLite database, the structure of the file is checked first, and its indexes beside their "
        + "tables (PRAGMA integrity_check), which takes some seconds for a million rows. Values that JSON "
        + "does not have, such as texts that are not UTF-8, are problems, too.",
    ],
    operand: OperandDescription(
      placeholder: "DB.json", repeats: false,
      help: "What import -o wrote; '-' reads standard input."),
    options: [
      ReportStyle.option, ReportStyle.maximumProblems,
    ])

  static func run(
    _ arguments: ParsedArguments, console: Console
  ) throws(CommandFailure) -> ExitCode {
    let file = InputFile(name: arguments.operands[0])
    try SQLiteFile.checkStructure(file.name)
    var report = try file.reading(console) { source in RecordDatabase.verifying(source) }
    try DatabaseInput.refuseUnreadable(report.problems)
    report.problems += try SQLiteFile.valueProblems(file.name)
    let maximum =
      arguments.count(ReportStyle.maximumProblems.name) ?? ImportProblems.maximumListed
    try console.print(
      ReportStyle(arguments).render(verification: report, of: file.name, maximum: maximum))
    return report.isRefused ? .badData : .success
  }
}
