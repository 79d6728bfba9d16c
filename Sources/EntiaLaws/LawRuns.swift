import Foundation

/// Which histories the laws are checked on.
///
/// `ENTIA_TEST_SCALE=10` in the environment runs ten times as many histories;
/// `ENTIA_TEST_SEED=42` runs that one only.
public struct LawRuns: Sendable {
  /// The seeds of the histories, in the order in which they are run.
  public let seeds: [UInt64]
  /// How many steps each history has; a law is checked after every one.
  public let steps: Int

  let problem: LawSettingsError?

  /// Creates the runs that the environment asks for.
  /// - Parameters:
  ///   - count: how many histories there are at scale 1.
  ///   - steps: how many steps each of them has.
  ///   - corpus: seeds that once failed; they are run first.
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

/// A setting in the environment that cannot be read.
public struct LawSettingsError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The name of the environment variable.
  public let variable: String
  /// What it is set to.
  public let value: String

  /// A sentence that names the variable and its value.
  public var description: String {
    "\(variable) is \"\(value)\", which is not a whole number in its range"
  }
}

extension LawRuns {
  /// Runs a history for every seed, and names the seed and the step of what fails.
  /// - Parameter history: is given a generator and a counter of steps that it keeps.
  func run(
    law: Int, statement: String,
    _ history: (_ random: inout SeededGenerator, _ step: inout Int) throws -> Void
  ) throws {
    if let problem { throw problem }
    for seed in seeds {
      var random = SeededGenerator(seed: seed)
      var step = 0
      do {
        try history(&random, &step)
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
