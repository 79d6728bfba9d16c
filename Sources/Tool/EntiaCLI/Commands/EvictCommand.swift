import EntiaJSON

/// `entia evict`: removes the oldest rows of a program's file.
enum EvictCommand: Command {
  static let description = CommandDescription(
    name: "evict",
    summary: "Remove the oldest rows of a SQLite file",
    discussion: [
      """
      Removes the rows that were received longest ago, until a number of rows is left in all \
      entities together. The file is one that a program has saved, with an Indexes.Age for some of \
      its entities; rows of other entities stay. No other program may have the file open.
      """,
      """
      The file does not have the relationships of the program. A row therefore stays while its ID is \
      a value in another row that stays, whatever the value means. IDs that the program holds stay, \
      too. Answers that lose a row are invalidated, so that the program requests them again.
      """,
    ],
    operand: OperandDescription(
      placeholder: "FILE.sqlite", help: "A file that a program has saved. It is changed."),
    options: [
      OptionDescription(
        "--rows", .count("N"), isRequired: true, help: "The number of rows that may be left."),
      OptionDescription(
        "--keep", .text("ENTITY[:ID]"), repeats: true,
        help: "Keep all rows of an entity, or one of them."),
      OptionDescription("--dry-run", help: "Print what would be removed, and write nothing."),
    ])

  /// The maximum number of rows that are listed. The others are only counted.
  private static let maximumRows = 20

  static func run(
    _ arguments: ParsedArguments, console: Console
  ) throws(CommandFailure) -> ExitCode {
    let name = arguments.operands[0]
    let isDryRun = arguments.has("--dry-run")
    let limit = arguments.count("--rows") ?? 0
    let file = InputFile(name: name)
    if file.isStandardInput {
      throw CommandFailure(.usage, "rows of standard input cannot be evicted; name a file")
    }
    guard file.exists, try file.begins(with: SQLiteFile.magic) else {
      _ = try file.stream()
      throw CommandFailure(
        .badData,
        "'\(name)' is not a SQLite database: only a file that a program has saved has ages of rows")
    }
    let evicted = try SQLiteFile.evict(
      name, downTo: limit, keeping: arguments.values("--keep"), isDryRun: isDryRun)
    var lines = evicted.rows.prefix(maximumRows).map { "- \($0.table) \($0.id)" }
    if evicted.rows.count > maximumRows {
      lines.append("- … \(evicted.rows.count - maximumRows) more")
    }
    lines.append(
      "\(evicted.rows.count.counted("row")) of \(evicted.size) "
        + (isDryRun ? "would be evicted" : "evicted"))
    let left = evicted.size - evicted.rows.count
    if left > limit {
      lines.append("\(left.counted("row")) left: the others are kept")
    }
    if isDryRun {
      lines.append("dry run: '\(name)' was not written")
    } else {
      lines.append(evicted.rows.isEmpty ? "'\(name)' stays as it is" : "wrote '\(name)'")
    }
    try console.print(
      lines.map { $0 + "\n" }.joined(),
      afterWriting: isDryRun || evicted.rows.isEmpty ? nil : name)
    return .success
  }
}
