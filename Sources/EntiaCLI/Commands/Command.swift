/// One of the tool's commands.
protocol Command: Sendable {
  /// What it accepts and what its help says.
  static var description: CommandDescription { get }

  /// Does the work, and gives the code to leave with.
  ///
  /// Throws what stopped it: a file that cannot be read or written, or wrong usage that only the
  /// input showed.
  static func run(
    _ arguments: ParsedArguments, console: Console
  ) throws(CommandFailure) -> ExitCode
}
