public import EntiaJSON

/// The reason why a row cannot be patched.
public enum PatchProblem: Error, Hashable, Sendable {
  /// The row does not exist.
  case selection(SelectionProblem)
  /// The patch is invalid for the row.
  case invalid([ImportProblem])
}

extension PatchProblem: CustomStringConvertible {
  /// The messages, one on each line.
  public var description: String { messages.joined(separator: "\n") }

  /// The messages that describe the problem.
  public var messages: [String] {
    switch self {
    case .selection(let problem): [problem.description]
    case .invalid(let problems):
      problems.map { "\($0.file): \($0.path): \($0.message)" }
    }
  }
}
