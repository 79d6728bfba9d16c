import EntiaJSON

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
    let database = try DatabaseInput.database(arguments.operands[0], console: console)
    let output = OutputFile(name: arguments.value("-o") ?? OutputFile.standardOutput)
    let bytes = try nested(database, arguments)
    try output.write(showing: console) { (put) throws(SystemCalls.Failure) in try put(bytes) }
    return .success
  }

  private static func nested(
    _ database: RecordDatabase, _ arguments: ParsedArguments
  ) throws(CommandFailure) -> [UInt8] {
    let nested = database.denormalized(
      entity: arguments.value("--entity") ?? "",
      ids: arguments.has("--id") ? arguments.values("--id") : nil,
      depth: arguments.count("--depth") ?? 1)
    switch nested {
    case .success(let bytes): return bytes
    case .failure(let problem):
      // An entity is named by who types the command, an ID may come from data.
      switch problem {
      case .unknownEntity: throw CommandFailure(.usage, problem.description)
      case .unknownIDs: throw CommandFailure(.badData, problem.description)
      }
    }
  }
}
