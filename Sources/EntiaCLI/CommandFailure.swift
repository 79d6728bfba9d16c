/// Why a command stopped: what to say on standard error, and the code to leave with.
struct CommandFailure: Error, Equatable {
  /// The code the process ends with.
  let exitCode: ExitCode
  /// One line each; every one of them is said.
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
}
