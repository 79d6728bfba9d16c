/// The limits of a log.
package struct LogRetention: Sendable {
  /// The least number of batches between two times of trimming.
  package var interval: Int64 = 256
  /// The age in seconds from which batches are removed.
  package var age: Double = 3 * 24 * 3600
  /// The size in bytes of the kept batches as the server stores them.
  package var size: Int64 = 256 << 20

  /// Creates the default retention.
  package init() {}

  /// Whether the log is trimmed after a batch. Trimming reads all batches that are kept, and
  /// therefore happens the less often the more there are.
  /// - Parameters:
  ///   - version: The version of the batch.
  ///   - kept: The number of batches in the log.
  func isTrimmed(after version: Int64, kept: Int64) -> Bool {
    guard interval > 0, version % interval == 0 else { return false }
    return (version / interval) % max(1, kept / (16 * interval)) == 0
  }
}
