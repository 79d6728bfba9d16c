#if ENTIA_POSTGRESQL
  import EntiaPostgreSQL
#endif

/// `entia share install`: creates Entia's tables in a PostgreSQL database.
enum ShareInstallCommand: Command {
  static let description = CommandDescription(
    name: "share install",
    summary: "Create the tables of shared databases in a PostgreSQL database",
    discussion: [
      """
      Once for each database, by a role that may create tables in it; repeating it does nothing. \
      Programs that share need no such right. --print prints the statements for psql instead, and \
      touches nothing.
      """,
      SpaceArguments.note,
    ],
    options: [
      OptionDescription(
        SpaceArguments.to.name, SpaceArguments.to.argument, help: SpaceArguments.to.help),
      OptionDescription("--print", help: "Print the SQL; no server is needed."),
    ])

  static func run(
    _ arguments: ParsedArguments, console: Console
  ) throws(CommandFailure) -> ExitCode {
    let option = SpaceArguments.to
    guard arguments.has("--print") || arguments.has(option.name) else {
      throw CommandFailure(.usage, ["missing \(option.usage)"], showsUsage: true)
    }
    #if ENTIA_POSTGRESQL
      let connection = SpaceArguments.connection(option, arguments, console: console)
      if arguments.has("--print") {
        try console.print(UntypedSpace.installationScript)
        return .success
      }
      do {
        try UntypedSpace.install(connecting: connection)
      } catch {
        throw CommandFailure(error, of: option)
      }
      try console.print("the tables are installed\n")
      return .success
    #else
      throw SpaceArguments.unavailable
    #endif
  }
}
