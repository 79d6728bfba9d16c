/// One of the tool's commands.
protocol Command: Sendable {
  /// The arguments and the help of the command.
  static var description: CommandDescription { get }

  /// Runs the command.
  ///
  /// - Returns: The exit code.
  /// - Throws: The failure that stopped the command: a file cannot be read or written, or the
  ///   command line does not fit the content of an input.
  static func run(
    _ arguments: ParsedArguments, console: Console
  ) throws(CommandFailure) -> ExitCode
}
