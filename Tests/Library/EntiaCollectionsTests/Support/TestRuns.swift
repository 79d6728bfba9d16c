import Foundation

/// Which seeds a test runs, as the environment asks: `ENTIA_TEST_SCALE=10` for ten times as many,
/// `ENTIA_TEST_SEED=42` for that one only.
struct TestRuns {
  let seeds: [UInt64]

  /// How many times as much as usual is to be run.
  static var scale: Int {
    get throws {
      guard let text = ProcessInfo.processInfo.environment["ENTIA_TEST_SCALE"] else { return 1 }
      guard let scale = Int(text), scale > 0 else { throw BadSetting(text: text) }
      return scale
    }
  }

  /// Builds without optimization run a part of what the optimized ones run.
  static var isOptimized: Bool {
    #if DEBUG
      false
    #else
      true
    #endif
  }

  /// - Parameters:
  ///   - count: how many seeds there are at scale 1.
  ///   - corpus: seeds that once failed; they are run first.
  init(count: Int, corpus: [UInt64]) throws {
    if let text = ProcessInfo.processInfo.environment["ENTIA_TEST_SEED"] {
      guard let seed = UInt64(text) else { throw BadSetting(text: text) }
      seeds = [seed]
    } else {
      seeds = try corpus + (0..<count * Self.scale).map { UInt64($0) &* 7_919 &+ 1 }
    }
  }

  /// A setting in the environment that is not a whole number in its range.
  struct BadSetting: Error { let text: String }
}
