import EntiaJSON

/// Why a command stopped: what to say on standard error, and the code to leave with.
struct CommandFailure: Error, Equatable {
  /// The code the process ends with.
  let exitCode: ExitCode
  /// One line each; a line that begins with a space belongs to the one before it.
  let messages: [String]
  /// Whether the words of the command line are at fault, so that the usage line helps.
  let showsUsage: Bool

  init(_ exitCode: ExitCode, _ messages: [String], showsUsage: Bool = false) {
    self.exitCode = exitCode
    self.messages = messages
    self.showsUsage = showsUsage
  }

  init(_ exitCode: ExitCode, _ message: String) {
    self.init(exitCode, [message])
  }

  /// The failure of data with problems, grouped by their cause.
  init(_ problems: [ImportProblem]) {
    self.init(.badData, ImportProblems(problems).lines())
  }
}
