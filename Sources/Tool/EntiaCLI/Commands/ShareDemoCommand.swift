/// `entia share demo`: a list of notes that several terminals share.
enum ShareDemoCommand: Command {
  static let description = CommandDescription(
    name: "share demo",
    summary: "Share a list of notes between terminals, through a PostgreSQL server",
    discussion: [
      """
      Reads commands from standard input, a line each, and prints the edits of others as they arrive. \
      Start it in several terminals with the same space. Stop the server meanwhile: edits wait, and \
      are shared when it is back. At the end of the input it waits until the server has confirmed every \
      edit. The tables are created if they are missing and the role may.
      """,
      "Commands: \(DemoLine.grammar.joined(separator: ", ")).",
      SpaceArguments.note,
    ],
    operands: [],
    options: [SpaceArguments.to, SpaceArguments.space])

  static func run(
    _ arguments: ParsedArguments, console: Console
  ) throws(CommandFailure) -> ExitCode {
    #if ENTIA_POSTGRESQL
      let connection = SpaceArguments.connection(SpaceArguments.to, arguments, console: console)
      let name = arguments.value(SpaceArguments.space.name) ?? ""
      try DemoSession.run(connecting: connection, space: name)
      return .success
    #else
      throw SpaceArguments.unavailable
    #endif
  }
}
