import EntiaJSON

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
        help: "The members, such as '{\"year\": 2000, \"note\": null}'."),
    ],
    options: [
      OptionDescription("--dry-run", help: "Print what would change, and write nothing."),
      DatabaseFile.noWait,
    ])

  static func run(
    _ arguments: ParsedArguments, console: Console
  ) throws(CommandFailure) -> ExitCode {
    let words = arguments.operands
    return try DatabaseEdit.run(arguments, console: console) {
      (database) throws(CommandFailure) in
      do throws(PatchProblem) {
        return try database.patching(words[2], of: words[1], with: Array(words[3].utf8))
      } catch {
        if case .selection(let problem) = error { throw GetCommand.failure(problem) }
        throw CommandFailure(.badData, error.messages)
      }
    }
  }
}
