import EntiaJSON

/// The reason why a command stopped: the messages for standard error, and the exit code.
struct CommandFailure: Error, Equatable {
  /// The exit code of the process.
  let exitCode: ExitCode
  /// The messages, one line each. A line that begins with a space belongs to the previous line.
  let messages: [String]
  /// Whether to print the usage line, because the command line is invalid.
  let showsUsage: Bool

  init(_ exitCode: ExitCode, _ messages: [String], showsUsage: Bool = false) {
    self.exitCode = exitCode
    self.messages = messages
    self.showsUsage = showsUsage
  }

  init(_ exitCode: ExitCode, _ message: String) {
    self.init(exitCode, [message])
  }

  /// The report for programs: a problem for each message.
  var report: ImportReport {
    let kind: ImportProblem.Kind =
      switch exitCode {
      case .usage: .usage
      case .noInput, .cannotRead: .unreadable
      default: .inconsistency
      }
    return ImportReport(
      problems: messages.map {
        ImportProblem(file: "the command line", path: "$", kind: kind, message: $0)
      })
  }

  /// Creates the failure for data with problems, grouped by their cause.
  init(_ problems: [ImportProblem]) {
    self.init(.badData, ImportProblems(problems).lines())
  }
}
