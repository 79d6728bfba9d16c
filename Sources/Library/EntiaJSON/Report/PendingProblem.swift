package import EntiaCoding

/// A problem whose path has not been found yet.
package struct PendingProblem {
  /// The position of the problem.
  package let origin: Origin
  /// The steps from there to the invalid part.
  package var suffix: [JSONPath.Step] = []
  package var severity = ImportProblem.Severity.error
  package let kind: ImportProblem.Kind
  package private(set) var message: String
  /// The common cause of this problem and others; nil to use the message.
  package var cause: ImportProblem.Cause?
  /// Another position, appended to the message.
  package var other: Origin?
  /// Advice, appended to the message after the other position.
  package var advice = ""
  /// The path, if it is already known.
  package var path: String?
  /// The name of the input in the problem, if it is not one of the inputs.
  package var file: String?
  /// The number of further problems of this cause that are only counted.
  package var more = 0

  package init(
    origin: Origin, suffix: [JSONPath.Step] = [],
    severity: ImportProblem.Severity = .error, kind: ImportProblem.Kind, message: String,
    cause: ImportProblem.Cause? = nil, other: Origin? = nil, advice: String = "",
    path: String? = nil, file: String? = nil
  ) {
    self.origin = origin
    self.suffix = suffix
    self.severity = severity
    self.kind = kind
    self.message = message
    self.cause = cause
    self.other = other
    self.advice = advice
    self.path = path
    self.file = file
  }

  /// Appends advice to the message, and to the common cause.
  package mutating func add(_ advice: String) {
    message += advice
    cause = cause.map { ImportProblem.Cause(entity: $0.entity, $0.message + advice) }
  }
}
