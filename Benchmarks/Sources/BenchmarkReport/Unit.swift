/// The unit of a figure.
package enum Unit: String, Codable, Sendable {
  case nanoseconds = "ns"
  /// Nanoseconds a byte, shown as megabytes a second.
  case nanosecondsPerByte = "ns/byte"
  case bytes

  /// Whether the figure is a time.
  package var isTime: Bool { self != .bytes }
}
