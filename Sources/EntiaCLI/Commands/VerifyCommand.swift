/// `entia verify`: lists what is wrong with a database.
enum VerifyCommand: Command {
  static let description = CommandDescription(
    name: "verify",
    summary: "List what is wrong with a database",
    discussion: [
      "Dangling references are problems here. Leaves with 0 when there are none, else with 65."
    ],
    operand: OperandDescription(
      placeholder: "DB.json", repeats: false,
      help: "What import -o wrote; '-' reads standard input."),
    options: [
      OptionDescription(
        "--report", .choice(["text", "json"]), help: "How the report reads; default text.")
    ])

  static func run(
    _ arguments: ParsedArguments, console: Console
  ) throws(CommandFailure) -> ExitCode {
    .success
  }
}
