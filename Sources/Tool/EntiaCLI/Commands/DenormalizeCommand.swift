import EntiaJSON
import EntiaRecords

/// `entia denormalize`: prints entities of a database as nested objects.
enum DenormalizeCommand: Command {
  static let description = CommandDescription(
    name: "denormalize",
    summary: "Print entities as nested objects",
    discussion: [
      """
      Prints a JSON array. Relationships are followed to the given depth. A row beyond it, or one \
      that would be nested in itself, is printed as its ID. So is a row of one of several entities \
      whose own member has the name of the type and another value.
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
        "--inverse", .text("ENTITY.MEMBER[:N][=NAME]"), repeats: true,
        help: """
          Nest the rows of ENTITY whose MEMBER refers to a row, N times on a branch (default 1), \
          under NAME (default ENTITY), in place of a member of that name; may be repeated.
          """),
      OptionDescription(
        "--max-bytes", .count("N"),
        help: "The maximum length of the output; default 1073741824."),
      .output("OUT.json"),
    ])

  static func run(
    _ arguments: ParsedArguments, console: Console
  ) throws(CommandFailure) -> ExitCode {
    let database = try DatabaseInput.database(arguments.operands[0], console: console)
    try write(database, arguments, to: arguments.output, console: console)
    return .success
  }

  /// Writes the rows while they are visited. A file is replaced only if all of them were written.
  private static func write(
    _ database: RecordDatabase, _ arguments: ParsedArguments, to output: OutputFile,
    console: Console
  ) throws(CommandFailure) {
    var problem: DenormalizeProblem?
    var inverses: [RecordInverse] = []
    for text in arguments.values("--inverse") { inverses.append(try inverse(text)) }
    do throws(CommandFailure) {
      try output.write(showing: console) { (put) throws(SystemCalls.Failure) in
        let result = try database.denormalize(
          entity: arguments.value("--entity") ?? "",
          ids: arguments.has("--id") ? arguments.values("--id") : nil,
          depth: arguments.count("--depth") ?? 1, following: inverses,
          maximumBytes: arguments.count("--max-bytes") ?? DenormalizeProblem.defaultMaximumBytes,
          to: put)
        if case .failure(let found) = result {
          problem = found
          throw SystemCalls.Failure(code: 0)
        }
      }
    } catch {
      throw problem.map { failure($0).naming(arguments.operands[0]) } ?? error
    }
  }

  /// Returns the failure for a problem. A wrong name is a usage error. A wrong ID is not, because
  /// IDs may originate from data.
  private static func failure(_ problem: DenormalizeProblem) -> CommandFailure {
    switch problem {
    case .selection(let problem): GetCommand.failure(problem)
    case .unknownRelationship, .nameOfID: CommandFailure(.usage, problem.description)
    case .repeatedName:
      CommandFailure(.usage, problem.description + ", such as --inverse ENTITY.MEMBER=NAME")
    case .tooLarge: CommandFailure(.badData, problem.description)
    }
  }

  private static func inverse(_ text: String) throws(CommandFailure) -> RecordInverse {
    if let inverse = RecordInverse(text) { return inverse }
    throw CommandFailure(
      .usage,
      "--inverse \(text): expected ENTITY.MEMBER[:N][=NAME], such as comments.post:2=replies")
  }
}
