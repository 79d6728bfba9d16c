/// What a figure counts.
package enum Unit: String, Codable, Sendable {
  case nanoseconds = "ns"
  case bytes
}
