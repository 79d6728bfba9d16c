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

  /// Returns the failure with the name of the file that it concerns before each message.
  func naming(_ file: String) -> CommandFailure {
    CommandFailure(exitCode, messages.map { "\(file): \($0)" }, showsUsage: showsUsage)
  }

  /// Creates the failure for data with problems, grouped by their cause.
  init(_ problems: [ImportProblem]) {
    self.init(.badData, ImportProblems(problems).lines())
  }
}

/// The exit codes of the tool. They are the numbers of `sysexits.h`, so that scripts can
/// distinguish the causes of failures.
enum ExitCode: Int32 {
  /// The command succeeded.
  case success = 0
  /// The command succeeded, and the compared databases differ.
  case different = 1
  /// The command line is wrong; nothing was written.
  case usage = 64
  /// The input was read and is invalid; nothing was written.
  case badData = 65
  /// An input does not exist.
  case noInput = 66
  /// The tool was built without a required library, the system lacks a program, or a server cannot
  /// be used.
  case unavailable = 69
  /// The output could not be written.
  case cannotWrite = 73
  /// An input exists but could not be read.
  case cannotRead = 74
}
