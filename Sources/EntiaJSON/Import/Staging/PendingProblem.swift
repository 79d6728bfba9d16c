/// A problem whose path has not been found yet.
struct PendingProblem {
  /// Where it is.
  let origin: Origin
  /// The steps from there to what is wrong.
  var suffix: [JSONPath.Step] = []
  var severity = ImportProblem.Severity.error
  let kind: ImportProblem.Kind
  private(set) var message: String
  /// What it has in common with others of its kind; nil for the message.
  var cause: ImportProblem.Cause?
  /// Another place that the message ends with.
  var other: Origin?
  /// What follows the other place in the message.
  var advice = ""
  /// The path, where it is known already.
  var path: String?
  /// What the problem calls its input, if that is none of the inputs.
  var file: String?

  /// Adds what to do to the message, and to what it has in common with others.
  mutating func add(_ advice: String) {
    message += advice
    cause = cause.map { ImportProblem.Cause(entity: $0.entity, $0.message + advice) }
  }
}

/// Problems in the order they were met.
struct ProblemList {
  private(set) var pending: [PendingProblem] = []

  var hasErrors: Bool { pending.contains { $0.severity == .error } }

  func contains(_ kind: ImportProblem.Kind) -> Bool { pending.contains { $0.kind == kind } }

  mutating func add(_ problem: PendingProblem) { pending.append(problem) }

  mutating func add(
    _ kind: ImportProblem.Kind, at origin: Origin, suffix: [JSONPath.Step] = [],
    severity: ImportProblem.Severity = .error, other: Origin? = nil, _ message: String,
    cause: ImportProblem.Cause? = nil, advice: String = ""
  ) {
    add(
      PendingProblem(
        origin: origin, suffix: suffix, severity: severity, kind: kind, message: message,
        cause: cause, other: other, advice: advice))
  }

  /// Adds a problem whose path is known already.
  mutating func add(_ problem: ImportProblem, file: Int) {
    add(
      PendingProblem(
        origin: Origin(file: file, offset: 0), severity: problem.severity, kind: problem.kind,
        message: problem.message, cause: problem.cause, path: problem.path, file: problem.file))
  }
}
