/// A problem whose path has not been found yet.
struct PendingProblem {
  /// The position of the problem.
  let origin: Origin
  /// The steps from there to the invalid part.
  var suffix: [JSONPath.Step] = []
  var severity = ImportProblem.Severity.error
  let kind: ImportProblem.Kind
  private(set) var message: String
  /// The common cause of this problem and others; nil to use the message.
  var cause: ImportProblem.Cause?
  /// Another position, appended to the message.
  var other: Origin?
  /// Advice, appended to the message after the other position.
  var advice = ""
  /// The path, if it is already known.
  var path: String?
  /// The name of the input in the problem, if it is not one of the inputs.
  var file: String?

  /// Appends advice to the message, and to the common cause.
  mutating func add(_ advice: String) {
    message += advice
    cause = cause.map { ImportProblem.Cause(entity: $0.entity, $0.message + advice) }
  }
}

/// A list of problems in the order in which they were found.
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

  /// Adds a problem whose path is already known.
  mutating func add(_ problem: ImportProblem, file: Int) {
    add(
      PendingProblem(
        origin: Origin(file: file, offset: 0), severity: problem.severity, kind: problem.kind,
        message: problem.message, cause: problem.cause, path: problem.path, file: problem.file))
  }
}
