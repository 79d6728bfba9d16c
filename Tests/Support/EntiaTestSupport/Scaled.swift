import Foundation

/// Returns the number of runs of a property test: the given number, multiplied by the environment's
/// `ENTIA_TEST_SCALE`.
public func scaled(_ runs: Int) -> Int {
  let scale = ProcessInfo.processInfo.environment["ENTIA_TEST_SCALE"].flatMap(Int.init) ?? 1
  return runs * max(1, scale)
}

/// Whether `ENTIA_TEST_SCALE` is more than 1. Enumerations are whole then.
public let isScaled = scaled(1) > 1

/// Returns the length of a history or of a chain: a third of the given number, or all of it if
/// `ENTIA_TEST_SCALE` is more than 1.
public func shortened(_ whole: Int) -> Int { isScaled ? whole : (whole + 2) / 3 }
