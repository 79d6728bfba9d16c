import EntiaCollections

/// A law that does not hold: which one, what was seen, and how to see it again.
///
/// Thrown by every check, so that it serves in any test framework: a test that throws fails.
public struct LawViolation: Error, Equatable, Sendable, CustomStringConvertible {
  /// The number of the law.
  public let law: Int
  /// What the law says.
  public let statement: String
  /// The seed of the history in which the law was broken.
  public let seed: UInt64
  /// The step of that history, counted from 0.
  public let step: Int
  /// What was seen.
  public let reason: String

  /// Creates a violation.
  public init(law: Int, statement: String, seed: UInt64, step: Int, reason: String) {
    self.law = law
    self.statement = statement
    self.seed = seed
    self.step = step
    self.reason = reason
  }

  /// A sentence that names the law, the place and the reason, and says how to replay it.
  public var description: String {
    """
    Law \(law) is broken (\(statement)) at step \(step) of seed \(seed): \(reason). \
    Set ENTIA_TEST_SEED=\(seed) to replay it.
    """
  }
}

/// What a check found, before it is known in which history.
struct LawFailure: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}

/// Fails the law when the condition does not hold.
func require(_ condition: Bool, _ reason: @autoclosure () -> String) throws {
  if !condition { throw LawFailure(reason()) }
}

/// Fails the law when two values that must be equal differ, and shows both. A NaN equals itself.
func requireEqual<Value: Equatable>(
  _ found: Value, _ expected: Value, _ what: @autoclosure () -> String
) throws {
  try require(
    haveSameValue(found, expected), "\(what()): found \(found), expected \(expected)")
}

/// Fails the law when two lists that must be equal differ, and shows both. A NaN equals itself.
func requireEqual<Value: Equatable>(
  _ found: [Value], _ expected: [Value], _ what: @autoclosure () -> String
) throws {
  try require(
    haveSameElements(found, expected), "\(what()): found \(found), expected \(expected)")
}
