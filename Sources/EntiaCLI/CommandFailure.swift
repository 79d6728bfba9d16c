/// Why a command stopped: what to say on standard error, and the code to leave with.
struct CommandFailure: Error, Equatable {
  /// The code the process ends with.
  let exitCode: ExitCode
  /// One line each; every one of them is said.
  let messages: [String]

  init(_ exitCode: ExitCode, _ messages: [String]) {
    self.exitCode = exitCode
    self.messages = messages
  }

  init(_ exitCode: ExitCode, _ message: String) {
    self.init(exitCode, [message])
  }
}
