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
  /// The number of further problems of this cause that are only counted.
  var more = 0

  /// Appends advice to the message, and to the common cause.
  mutating func add(_ advice: String) {
    message += advice
    cause = cause.map { ImportProblem.Cause(entity: $0.entity, $0.message + advice) }
  }
}
