import EntiaCoding
public import EntiaJSON

/// The reason why rows cannot be deleted.
public enum DeletionProblem: Error, Hashable, Sendable {
  /// A reference that would dangle.
  public struct Reference: Hashable, Sendable {
    /// The row with the reference.
    public let holder: RecordID
    /// The member with the reference.
    public let member: String
    /// The target of the reference.
    public let target: RecordID
  }

  /// The rows to delete are not in the database.
  case selection(SelectionProblem)
  /// The references would dangle. A reference that is part of an ID cannot be removed.
  case dangling([Reference], canNullify: Bool)
  /// A rule of the storage refuses the deletion.
  case refused(String)
}

extension DeletionProblem: CustomStringConvertible {
  /// The messages, one on each line.
  public var description: String { messages(limit: .max).joined(separator: "\n") }

  /// Returns messages that describe the problem.
  ///
  /// - Parameter limit: The maximum number of references to list; the others are counted.
  /// - Returns: The messages.
  package func messages(limit: Int) -> [String] {
    switch self {
    case .selection(let problem): return [problem.description]
    case .refused(let reason): return ["the database refuses the deletion: \(reason)"]
    case .dangling(let references, let canNullify):
      let ending = canNullify ? "" : ", which is a part of the ID of that row"
      var messages = references.prefix(limit).map {
        "\($0.member.quoted) of \($0.holder) refers to \($0.target)" + ending
      }
      let more = references.count - messages.count
      if more > 0 { messages.append("and \(more) more \(more == 1 ? "reference" : "references")") }
      return messages
    }
  }
}

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
  package var messages: [String] {
    switch self {
    case .selection(let problem): [problem.description]
    case .invalid(let problems):
      problems.map { "\($0.file): \($0.path): \($0.message)" }
    }
  }
}
