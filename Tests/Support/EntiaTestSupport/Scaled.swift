import Foundation

/// The environment's `ENTIA_TEST_SCALE`.
private let scale = ProcessInfo.processInfo.environment["ENTIA_TEST_SCALE"]
  .flatMap(Int.init).map { max(1, $0) }

/// Returns the number of runs of a property test: the given number, multiplied by the environment's
/// `ENTIA_TEST_SCALE`; without the variable, a third of the number, so that `swift test` takes less
/// time than `.ci/run`.
public func scaled(_ runs: Int) -> Int { scale.map { runs * $0 } ?? (runs + 2) / 3 }

/// Returns the cases of a test that takes long for each of them: all, or every third one without
/// `ENTIA_TEST_SCALE`.
public func scaled<Cases: Collection>(_ cases: Cases) -> [Cases.Element] {
  cases.enumerated().filter { scale != nil || $0.offset % 3 == 0 }.map { $0.element }
}

/// Whether `ENTIA_TEST_SCALE` is more than 1. Enumerations are whole then.
public let isScaled = (scale ?? 1) > 1

/// Returns the length of a history or of a chain: a third of the given number, or all of it if
/// `ENTIA_TEST_SCALE` is more than 1.
public func shortened(_ whole: Int) -> Int { isScaled ? whole : (whole + 2) / 3 }
