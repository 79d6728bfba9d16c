import EntiaJSON
import EntiaRecords

/// `entia delete`: deletes rows from a database.
enum DeleteCommand: Command {
  static let description = CommandDescription(
    name: "delete",
    summary: "Delete rows of an entity",
    discussion: [
      """
      Deletes the rows, prints what changed and writes the database back. A row that other rows \
      refer to is not deleted, because the references would name no row: delete those rows first, or \
      remove the references with --nullify.
      """
    ],
    operands: [
      OperandDescription(
        placeholder: "DB.json", help: "What import wrote. It is written back."),
      OperandDescription(placeholder: "ENTITY", isInput: false, help: "The entity of the rows."),
      OperandDescription(placeholder: "ID…", repeats: true, isInput: false, help: "The rows."),
    ],
    options: [
      OptionDescription(
        "--nullify",
        help: "Remove references to the rows: one becomes null, a list loses the ID."),
      OptionDescription("--dry-run", help: "Print what would change, and write nothing."),
      DatabaseOutput.noWait,
    ])

  /// The maximum number of references that are listed. The others are only counted.
  private static let maximumReferences = 20

  static func run(
    _ arguments: ParsedArguments, console: Console
  ) throws(CommandFailure) -> ExitCode {
    let (entity, ids) = (arguments.operands[1], Array(arguments.operands.dropFirst(2)))
    return try DatabaseEdit.run(arguments, console: console) {
      (database) throws(CommandFailure) in
      do throws(DeletionProblem) {
        return try database.deleting(ids, of: entity, nullifies: arguments.has("--nullify"))
      } catch {
        throw failure(error)
      }
    }
  }

  private static func failure(_ problem: DeletionProblem) -> CommandFailure {
    if case .selection(let problem) = problem { return GetCommand.failure(problem) }
    var messages = problem.messages(limit: maximumReferences)
    if case .dangling(_, let canNullify) = problem {
      messages.append(
        "nothing was deleted; delete the rows that refer to them first"
          + (canNullify ? ", or remove the references with --nullify" : ""))
    }
    return CommandFailure(.badData, messages)
  }
}
