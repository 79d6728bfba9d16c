import EntiaJSON
import EntiaRecords

#if ENTIA_POSTGRESQL
  import EntiaPostgreSQL
#endif

/// `entia push`: writes a database into a space of a PostgreSQL server.
enum PushCommand: Command {
  private static let replace = OptionDescription(
    "--replace", help: "Replace the rows of a space that has some.")

  static let description = CommandDescription(
    name: "push",
    summary: "Write a database into a space of a PostgreSQL server",
    discussion: [
      """
      The rows of each entity become those of the table with its name, so that programs whose entities \
      match can load them; pull gives the same rows back. It is one change: programs that share \
      the space load it again. A space that does not exist is created. One that has rows is refused, \
      unless --replace is given; then all its rows are replaced, also those of tables that DB lacks.
      """,
      SpaceArguments.note,
    ],
    operand: OperandDescription(
      placeholder: "DB", help: "What import -o wrote, JSON or SQLite, or an app's SQLite database."),
    options: [SpaceArguments.to, SpaceArguments.space, replace])

  static func run(
    _ arguments: ParsedArguments, console: Console
  ) throws(CommandFailure) -> ExitCode {
    #if ENTIA_POSTGRESQL
      let connection = SpaceArguments.connection(SpaceArguments.to, arguments, console: console)
      let name = arguments.value(SpaceArguments.space.name) ?? ""
      let database = try DatabaseInput.database(arguments.operands[0], console: console)
      do {
        let space = try RecordSpace(connecting: connection, space: name)
        try space.write(database, replacingRows: arguments.has(replace.name))
      } catch let error as UntypedSpace.NotEmpty {
        throw CommandFailure(
          .cannotWrite,
          [
            "space '\(name)' has \(error.count.counted("row")); nothing was written",
            "  \(replace.name) replaces them; 'entia pull' saves them first",
          ])
      } catch {
        throw CommandFailure(error, of: SpaceArguments.to)
      }
      try console.print("pushed \(database.count.counted("row")) into space '\(name)'\n")
      SystemCalls.keepUntilEnd(database)
      return .success
    #else
      throw SpaceArguments.unavailable
    #endif
  }
}
