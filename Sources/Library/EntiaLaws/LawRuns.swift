import EntiaCollections
import EntiaDatabase
import Foundation

/// The random histories on which the laws are checked.
///
/// Two environment variables change them: `ENTIA_TEST_SCALE=10` runs ten times as many histories,
/// and `ENTIA_TEST_SEED=42` runs only the history with this seed.
public struct LawRuns: Sendable {
  /// The seeds of the histories, in the order of their runs.
  package let seeds: [UInt64]
  /// The number of steps in each history. A law is checked after every step.
  package let steps: Int

  let problem: LawSettingsError?

  /// Creates the runs that the environment specifies.
  /// - Parameters:
  ///   - count: The number of histories at scale 1.
  ///   - steps: The number of steps in each history.
  ///   - corpus: Seeds that failed in the past. They are run first.
  public init(count: Int = 20, steps: Int = 30, corpus: [UInt64] = []) {
    self.init(
      count: count, steps: steps, corpus: corpus,
      environment: ProcessInfo.processInfo.environment)
  }

  package init(count: Int, steps: Int, corpus: [UInt64], environment: [String: String]) {
    self.steps = steps
    var problem: LawSettingsError?
    var scale = 1
    if let text = environment["ENTIA_TEST_SCALE"] {
      if let number = Int(text), number > 0 {
        scale = number
      } else {
        problem = LawSettingsError(variable: "ENTIA_TEST_SCALE", value: text)
      }
    }
    var only: UInt64?
    if let text = environment["ENTIA_TEST_SEED"] {
      only = UInt64(text)
      if only == nil { problem = LawSettingsError(variable: "ENTIA_TEST_SEED", value: text) }
    }
    self.problem = problem
    seeds = only.map { [$0] } ?? corpus + (0..<count * scale).map { UInt64($0) &* 7919 &+ 1 }
  }
}

/// The error for an environment variable with an invalid value.
public struct LawSettingsError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The name of the environment variable.
  package let variable: String
  /// The value of the environment variable.
  package let value: String

  /// A sentence that names the variable and its value.
  public var description: String {
    "\(variable) is \"\(value)\", which is not a whole number in its range"
  }
}

extension LawRuns {
  /// Runs a history for every seed. If a history fails, throws a `LawViolation` with the seed and
  /// the step.
  /// - Parameter history: Runs a history. It receives a generator, and sets `step` to the current
  ///   step.
  func run(
    law: Int, statement: String,
    _ history: (_ random: inout SeededGenerator, _ step: inout Int) throws -> Void
  ) throws {
    if let problem { throw problem }
    for seed in seeds {
      var random = SeededGenerator(seed: seed)
      var step = 0
      // Law 5 includes that rows with different fields are not equal.
      let audit = law == 5 ? EqualityAudit.Receiver() : EqualityAudit.receiver
      do {
        try EqualityAudit.$receiver.withValue(audit) { try history(&random, &step) }
        if law == 5, let message = audit?.messages.first { throw LawFailure(message) }
      } catch let failure as LawFailure {
        throw LawViolation(
          law: law, statement: statement, seed: seed, step: step, reason: failure.reason)
      } catch {
        throw LawViolation(
          law: law, statement: statement, seed: seed, step: step, reason: "threw: \(error)")
      }
    }
  }
}

/// A random number generator that depends only on its seed: it returns the same numbers in every
/// process and on every platform.
///
/// ```swift
/// var random = SeededGenerator(seed: 42)
/// let roll = Int.random(in: 1...6, using: &random)
/// ```
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a generator. Equal seeds result in equal numbers.
  public init(seed: UInt64) { state = seed }

  /// Returns the next 64 random bits.
  /// - Complexity: O(1).
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// Returns a random number in a range.
  public mutating func number(in range: Range<Int>) -> Int { Int.random(in: range, using: &self) }

  /// Returns `true` with a probability of 1 in `count`.
  public mutating func oneIn(_ count: Int) -> Bool { number(in: 0..<count) == 0 }
}

/// The violation of a law, with the law, the reason, and the seed and step that reproduce the
/// violation.
///
/// Checks throw this error, so that they work in any test framework: a test that throws an error
/// fails.
public struct LawViolation: Error, Equatable, Sendable, CustomStringConvertible {
  /// The number of the law.
  public let law: Int
  /// The statement of the law.
  package let statement: String
  /// The seed of the history in which the law was violated.
  public let seed: UInt64
  /// The step of that history, counted from 0.
  public let step: Int
  /// The difference or the error of the check.
  public let reason: String

  /// Creates a violation.
  package init(law: Int, statement: String, seed: UInt64, step: Int, reason: String) {
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
