package import EntiaCoding

/// A list of problems in the order in which they were found, in bounded memory. Only the first
/// problems of each kind are stored. Each later problem is counted with a stored problem of the
/// same cause.
package struct ProblemList {
  /// The maximum number of stored problems of a kind.
  package static let limit = 10_000
  /// The maximum number of problems of a kind that are stored beyond `limit`: the first problem of
  /// each cause that has no stored problem yet.
  package static let causeLimit = 1_000

  package private(set) var pending: [PendingProblem] = []
  /// The number of added problems.
  package private(set) var count = 0
  private var kept: [Kind: Int] = [:]
  /// The positions of the problems with which others are counted, by cause; `nil` until a kind
  /// reaches the limit.
  private var counted: [Cause: Int]?

  package init() {}

  private struct Kind: Hashable {
    let severity: ImportProblem.Severity
    let kind: ImportProblem.Kind

    init(_ problem: PendingProblem) { (severity, kind) = (problem.severity, problem.kind) }
  }

  private struct Cause: Hashable {
    let kind: Kind
    /// `nil` for the causes without a stored problem.
    let cause: ImportProblem.Cause?
  }

  package var hasErrors: Bool { pending.contains { $0.severity == .error } }

  package func contains(_ kind: ImportProblem.Kind) -> Bool { pending.contains { $0.kind == kind } }

  package mutating func add(_ problem: PendingProblem) {
    count += 1
    let kind = Kind(problem)
    let number = kept[kind, default: 0]
    if number < Self.limit { return keep(problem, kind, number) }
    if counted == nil { counted = causes() }
    let cause = Cause(kind: kind, cause: problem.cause ?? ImportProblem.Cause(problem.message))
    if let position = counted?[cause] {
      pending[position].more += 1
    } else if number < Self.limit + Self.causeLimit {
      counted?[cause] = pending.count
      keep(problem, kind, number)
    } else if let position = counted?[Cause(kind: kind, cause: nil)] {
      pending[position].more += 1
    } else {
      counted?[Cause(kind: kind, cause: nil)] = pending.count
      keep(
        PendingProblem(
          origin: problem.origin, suffix: problem.suffix, severity: problem.severity,
          kind: problem.kind, message: problem.message,
          cause: ImportProblem.Cause("problems of more causes than are listed"),
          other: problem.other, advice: problem.advice, path: problem.path, file: problem.file),
        kind, number)
    }
  }

  private mutating func keep(_ problem: PendingProblem, _ kind: Kind, _ number: Int) {
    kept[kind] = number + 1
    if counted != nil, number < Self.limit {
      let cause = problem.cause ?? ImportProblem.Cause(problem.message)
      counted?[Cause(kind: kind, cause: cause)] = pending.count
    }
    pending.append(problem)
  }

  private func causes() -> [Cause: Int] {
    var causes: [Cause: Int] = [:]
    for (position, problem) in pending.enumerated() {
      let cause = problem.cause ?? ImportProblem.Cause(problem.message)
      causes[Cause(kind: Kind(problem), cause: cause)] = position
    }
    return causes
  }

  package mutating func add(
    _ kind: ImportProblem.Kind, at origin: Origin, suffix: [JSONPath.Step] = [],
    severity: ImportProblem.Severity = .error, other: Origin? = nil, _ message: String,
    cause: ImportProblem.Cause? = nil, advice: String = ""
  ) {
    add(
      PendingProblem(
        origin: origin, suffix: suffix, severity: severity, kind: kind, message: message,
        cause: cause, other: other, advice: advice))
  }

  /// Adds a problem whose path is already known.
  package mutating func add(_ problem: ImportProblem, file: Int) {
    add(
      PendingProblem(
        origin: Origin(file: file, offset: 0), severity: problem.severity, kind: problem.kind,
        message: problem.message, cause: problem.cause, path: problem.path, file: problem.file))
  }
}
