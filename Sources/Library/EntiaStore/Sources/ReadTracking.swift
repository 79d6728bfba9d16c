/// Tracks the reads of a derived value for Observation, and notifies it of the value's changes.
protocol ReadTracking: Sendable {
  /// Whether Observation tracks what this thread reads.
  var isTracked: Bool { get }

  /// Registers an additional object that reads the value through this one.
  func addHolder()

  /// Registers a read of a source's value with Observation; called before the read.
  ///
  /// - Returns: Whether the read is tracked.
  func registerRead(_ source: any StateSource) -> Bool

  /// Unregisters an object that has been released; tracked reads may still be pending.
  func removeHolder()
}
