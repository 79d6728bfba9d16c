/// The unit of a figure.
package enum Unit: String, Codable, Sendable {
  case nanoseconds = "ns"
  case bytes
}
