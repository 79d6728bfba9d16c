import Foundation

/// Returns the number of runs of a property test: the given number, multiplied by the environment's
/// `ENTIA_TEST_SCALE`.
public func scaled(_ runs: Int) -> Int {
  let scale = ProcessInfo.processInfo.environment["ENTIA_TEST_SCALE"].flatMap(Int.init) ?? 1
  return runs * max(1, scale)
}
