import EntiaSharedState

extension ChildProcess {
  /// Starts a process that shares a library in a file; see `EntiaBesideChild`.
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - seed: The seed of its batches.
  ///   - failpoint: The point at which it kills itself, and how often it reaches it before.
  convenience init(
    _ path: String, seed: UInt64, dyingAt failpoint: (name: String, time: Int)? = nil
  ) throws {
    try self.init(
      "EntiaBesideChild", [path, "\(seed)"] + (failpoint.map { [$0.name, "\($0.time)"] } ?? []))
  }
}
