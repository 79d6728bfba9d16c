import Foundation

/// Returns how often a property test runs: as often as it says, multiplied by the environment's
/// `ENTIA_TEST_SCALE`. CI multiplies by 3.
public func scaled(_ runs: Int) -> Int {
  let scale = ProcessInfo.processInfo.environment["ENTIA_TEST_SCALE"].flatMap(Int.init) ?? 1
  return runs * max(1, scale)
}
