/// `entia import`: JSON files into one normalized database.
enum ImportCommand: Command {
  static let description = CommandDescription(
    name: "import",
    summary: "Import JSON files into one normalized database",
    discussion: [
      """
      Every entity is stored once, however often the files repeat it, and every problem is \
      listed with its file and JSON path. All or nothing: when anything is refused, nothing is \
      written. Without -o only the report is printed.
      """,
      "nested and ndjson need --schema and --root.",
    ],
    operand: OperandDescription(
      placeholder: "FILE…", repeats: true, help: "The files; '-' reads standard input."),
    options: [
      OptionDescription(
        "--format", .choice(["auto", "nested", "ndjson", "tables", "django"]),
        help: "The shape of the files; auto, the default, looks."),
      OptionDescription(
        "--schema", .input("SCHEMA.json"),
        help: "The entities, their ID members and relationships."),
      OptionDescription(
        "--root", .text("ENTITY"), help: "What the array, object or line at the top holds."),
      OptionDescription(
        "--into", .input("DB.json"),
        help: "Add to this database. It is read; only -o writes."),
      OptionDescription(
        "-o", .output("OUT.json"),
        help: "Write the database there; '-' writes to standard output, the report then goes to "
          + "standard error."),
      OptionDescription(
        "--on-conflict", .choice(["error", "replace", "keep", "merge"]),
        help: "What to do when an entity comes again with other content; default error."),
      OptionDescription("--strict", help: "Refuse dangling references."),
      OptionDescription(
        "--report", .choice(["text", "json"]), help: "How the report reads; default text."),
      OptionDescription("--dry-run", help: "Do everything but write."),
    ])

  static func run(
    _ arguments: ParsedArguments, console: Console
  ) throws(CommandFailure) -> ExitCode {
    .success
  }
}
