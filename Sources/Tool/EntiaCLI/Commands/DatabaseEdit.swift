import EntiaJSON
import EntiaRecords

/// A change of a database file, from reading it to writing it back.
enum DatabaseEdit {
  /// Reads the database, changes it, prints the differences and writes it back, unless the
  /// arguments specify a dry run.
  static func run(
    _ arguments: ParsedArguments, console: Console,
    _ change: (RecordDatabase) throws(CommandFailure) -> RecordDatabase
  ) throws(CommandFailure) -> ExitCode {
    let name = arguments.operands[0]
    let isDryRun = arguments.has("--dry-run")
    if name == InputFile.standardInput, !isDryRun {
      throw CommandFailure(
        .usage, "standard input cannot be written back; name a file, or see with --dry-run")
    }
    let file = try DatabaseFile(name, arguments, console: console)
    let old = try DatabaseInput.database(name, console: console)
    let new = try change(old)
    let difference = new.difference(from: old)
    if !isDryRun, !difference.isEmpty { try file.write(new, console: console) }
    let ending =
      !isDryRun && difference.isEmpty
      ? "'\(name)' stays as it is\n" : file.sentence(isDryRun ? nil : "wrote")
    try console.print(
      difference.text() + ending, afterWriting: isDryRun || difference.isEmpty ? nil : name)
    SystemCalls.keepUntilEnd((old, new))
    return .success
  }
}
