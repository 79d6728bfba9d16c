import EntiaJSON
import EntiaRecords

/// `entia patch`: changes members of one row.
enum PatchCommand: Command {
  static let description = CommandDescription(
    name: "patch",
    summary: "Change members of a row",
    discussion: [
      """
      The patch is a JSON object, as RFC 7396 has it: its members replace the row's, null removes \
      one, and an object is merged into an object. A reference is an ID, and its row has to exist. \
      Prints what changed and writes the database back.
      """
    ],
    operands: [
      OperandDescription(
        placeholder: "DB.json", help: "What import wrote. It is written back."),
      OperandDescription(placeholder: "ENTITY", isInput: false, help: "The entity of the row."),
      OperandDescription(placeholder: "ID", isInput: false, help: "The row."),
      OperandDescription(
        placeholder: "PATCH", isInput: false,
        help: "The members, such as '{\"year\": 2000, \"note\": null}', or a file that holds them; "
          + "'-' reads standard input."),
    ],
    options: [
      OptionDescription("--dry-run", help: "Print what would change, and write nothing."),
      DatabaseOutput.noWait,
    ])

  static func run(
    _ arguments: ParsedArguments, console: Console
  ) throws(CommandFailure) -> ExitCode {
    let words = arguments.operands
    let patch = try patch(words[3], of: words[0])
    return try DatabaseEdit.run(arguments, console: console) {
      (database) throws(CommandFailure) in
      do throws(PatchProblem) {
        return try database.patching(words[2], of: words[1], with: patch)
      } catch {
        if case .selection(let problem) = error { throw GetCommand.failure(problem) }
        throw CommandFailure(.badData, error.messages)
      }
    }
  }

  /// Returns the text of the patch: the argument, or the content of the file that it names.
  private static func patch(
    _ argument: String, of database: String
  ) throws(CommandFailure) -> [UInt8] {
    let file = InputFile(name: argument)
    let first = argument.first { !$0.isWhitespace }
    if first == "{" || first == "[" && !file.exists { return Array(argument.utf8) }
    guard file.exists else {
      throw CommandFailure(.badData, "PATCH is neither a JSON object nor a file: '\(argument)'")
    }
    if file.isStandardInput, database == InputFile.standardInput {
      throw CommandFailure(.usage, "standard input ('-') can be read only once")
    }
    let source = try file.stream()
    do {
      return try source.contents()
    } catch {
      throw CommandFailure(.cannotRead, "cannot read \(file.spokenName): \(error)")
    }
  }
}
