import EntiaJSON
import EntiaRecords

/// `entia get`: prints rows of one entity, by ID or by a condition.
enum GetCommand: Command {
  static let description = CommandDescription(
    name: "get",
    summary: "Print rows of an entity",
    discussion: [
      """
      Prints the rows with the IDs given, in their order, or all rows. --where keeps the rows that \
      fulfil a condition: comparisons of a member and a value, with = != < <= > >= and contains, \
      or member in (1, 2), joined by and, or, not and parentheses. where.place is a member of an \
      object. Strings stand in quotes; a member that a row \
      lacks is null, and one that every row lacks is an error; a reference compares as its ID; \
      contains looks into lists and strings.
      """,
      """
      --search keeps the rows whose strings contain words that begin with those of the text, the \
      best match first, or in the order of --sort. "two words" in quotes are adjacent and whole, \
      and -word excludes.
      """,
      """
      csv has a header line, as in RFC 4180; null is empty in it, and arrays and objects are JSON.
      """,
    ],
    operands: [
      OperandDescription(
        placeholder: "DB.json", help: "What import wrote; '-' reads standard input."),
      OperandDescription(placeholder: "ENTITY", isInput: false, help: "The entity of the rows."),
      OperandDescription(
        placeholder: "ID…", repeats: true, isOptional: true, isInput: false,
        help: "The rows; default all."),
    ],
    options: [
      OptionDescription(
        "--where", .text("CONDITION"),
        help: "Only rows that fulfil this, such as 'year > 1999 and author = \"a1\"'."),
      OptionDescription(
        "--search", .text("TEXT"), help: "Only rows that match this text, such as 'le guin'."),
      OptionDescription(
        "--sort", .text("MEMBER,…"),
        help: "Sort by these members; one with a dash before it descends: --sort=-year,title."),
      OptionDescription("--limit", .count("N"), help: "At most so many rows."),
      OptionDescription(
        "--format", .choice(RowFormat.allCases.map(\.rawValue)), help: "Default json."),
      .output("OUT"),
    ])

  static func run(
    _ arguments: ParsedArguments, console: Console
  ) throws(CommandFailure) -> ExitCode {
    let entity = arguments.operands[1]
    let ids = Array(arguments.operands.dropFirst(2))
    var selection = RecordSelection(
      of: entity, ids: ids.isEmpty ? nil : ids, limit: arguments.count("--limit"))
    do throws(ConditionError) {
      selection.condition = try arguments.value("--where").map {
        (text) throws(ConditionError) in try RecordCondition.parse(text)
      }
    } catch {
      throw CommandFailure(.usage, "--where: \(error)")
    }
    selection.order = (arguments.value("--sort") ?? "").split(separator: ",").map {
      let isDescending = $0.hasPrefix("-")
      return RecordSelection.Order(
        String(isDescending ? $0.dropFirst() : $0), isDescending: isDescending)
    }
    selection.search = arguments.value("--search")
    let name = arguments.operands[0]
    let database = try DatabaseInput.database(name, console: console)
    let rows: [Record]
    do throws(SelectionProblem) {
      rows = try database.rows(selection)
    } catch {
      throw failure(error).naming(name)
    }
    let format: RowFormat = arguments.choice("--format") ?? .json
    try arguments.output.write(showing: console) { (put) throws(SystemCalls.Failure) in
      try database.write(rows, of: entity, as: format, to: put)
    }
    SystemCalls.keepUntilEnd(database)
    return .success
  }

  /// Returns the failure for a problem. A wrong entity or member is a usage error. A wrong ID is
  /// not, because IDs may originate from data.
  static func failure(_ problem: SelectionProblem) -> CommandFailure {
    switch problem {
    case .unknownEntity, .unknownMember: CommandFailure(.usage, problem.description)
    case .unknownIDs: CommandFailure(.badData, problem.description)
    }
  }
}
