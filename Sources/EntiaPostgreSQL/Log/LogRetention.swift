/// The limits of a log.
package struct LogRetention: Sendable {
  /// The number of batches between two times of trimming.
  package var interval: Int64 = 256
  /// The age in seconds from which batches are removed.
  package var age: Double = 3 * 24 * 3600
  /// The size in bytes of the kept batches as the server stores them.
  package var size: Int64 = 256 << 20

  /// Creates the default retention.
  package init() {}
}
