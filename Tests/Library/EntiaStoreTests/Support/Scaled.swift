import Foundation

/// How often property tests run, multiplied by the environment's `ENTIA_TEST_SCALE`.
func scaled(_ runs: Int) -> Int {
  let scale = ProcessInfo.processInfo.environment["ENTIA_TEST_SCALE"].flatMap(Int.init) ?? 1
  return runs * max(1, scale)
}
