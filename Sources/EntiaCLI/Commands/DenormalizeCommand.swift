/// `entia denormalize`: nested objects out of a database.
enum DenormalizeCommand: Command {
  static let description = CommandDescription(
    name: "denormalize",
    summary: "Print entities as nested objects",
    discussion: [
      """
      Prints a JSON array. Relationships are followed to the depth asked for; beyond it, and \
      where an entity would come again inside itself, its ID stands.
      """
    ],
    operand: OperandDescription(
      placeholder: "DB.json", repeats: false,
      help: "What import -o wrote; '-' reads standard input."),
    options: [
      OptionDescription(
        "--entity", .text("ENTITY"), isRequired: true, help: "The entities to print."),
      OptionDescription(
        "--id", .text("ID"), repeats: true, help: "Only this one; may be repeated. Default all."),
      OptionDescription(
        "--depth", .count("N"), help: "How many levels to follow; 0 as stored, default 1."),
      OptionDescription(
        "-o", .output("OUT.json"), help: "Write there; '-', the default, is standard output."),
    ])

  static func run(
    _ arguments: ParsedArguments, console: Console
  ) throws(CommandFailure) -> ExitCode {
    .success
  }
}
