import EntiaJSON

/// What to do about problems that a person can do something about, beside what the library says.
enum Hints {
  /// The failure of inputs that cannot be read as they were asked to be; nil if there are none.
  static func usageFailure(
    of problems: [ImportProblem], _ arguments: ParsedArguments
  ) -> CommandFailure? {
    let usage = problems.filter { $0.kind == .usage }
    guard !usage.isEmpty else { return nil }
    var messages = usage.map { "\($0.file): \($0.message)" }
    if arguments.value("--schema") == nil,
      usage.contains(where: { $0.message.contains("--schema") })
    {
      messages.append("no schema yet? 'entia schema \(usage[0].file)' guesses one")
    } else if arguments.value("--root") == nil,
      usage.contains(where: { $0.message.contains("--root") })
    {
      messages.append("--root says which entity of the schema the top of the file holds")
    }
    return CommandFailure(.usage, messages)
  }

  /// Says what a file should be that has not the shape of a database.
  static func explained(_ problems: [ImportProblem], option: String) -> [ImportProblem] {
    problems.map { problem in
      guard problem.kind == .typeMismatch, problem.path == "$" else { return problem }
      return ImportProblem(
        file: problem.file, path: problem.path, severity: problem.severity, kind: problem.kind,
        message: problem.message + "; \(option) is a database, as import -o writes it")
    }
  }
}
