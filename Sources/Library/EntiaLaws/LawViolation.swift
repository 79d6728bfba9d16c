import EntiaCollections

/// The violation of a law: which law, the reason, and the seed and step that reproduce it.
///
/// Every check throws it, so that it works in any test framework: a test that throws fails.
public struct LawViolation: Error, Equatable, Sendable, CustomStringConvertible {
  /// The number of the law.
  public let law: Int
  /// The statement of the law.
  public let statement: String
  /// The seed of the history in which the law was violated.
  public let seed: UInt64
  /// The step of that history, counted from 0.
  public let step: Int
  /// The difference or the error that was found.
  public let reason: String

  /// Creates a violation.
  public init(law: Int, statement: String, seed: UInt64, step: Int, reason: String) {
    self.law = law
    self.statement = statement
    self.seed = seed
    self.step = step
    self.reason = reason
  }

  /// A sentence with the law, the step, the reason, and the setting that replays the history.
  public var description: String {
    """
    Law \(law) is broken (\(statement)) at step \(step) of seed \(seed): \(reason). \
    Set ENTIA_TEST_SEED=\(seed) to replay it.
    """
  }
}

/// The failure of a check, without the history in which it occurred.
struct LawFailure: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}

/// Throws a failure if the condition does not hold.
func require(_ condition: Bool, _ reason: @autoclosure () -> String) throws {
  if !condition { throw LawFailure(reason()) }
}

/// Throws a failure with both values if they differ. A NaN equals itself.
func requireEqual<Value: Equatable>(
  _ found: Value, _ expected: Value, _ what: @autoclosure () -> String
) throws {
  try require(
    haveSameValue(found, expected), "\(what()): found \(found), expected \(expected)")
}

/// Throws a failure with both lists if they differ. A NaN equals itself.
func requireEqual<Value: Equatable>(
  _ found: [Value], _ expected: [Value], _ what: @autoclosure () -> String
) throws {
  try require(
    haveSameElements(found, expected), "\(what()): found \(found), expected \(expected)")
}
