import Foundation

/// The format of figures, which does not depend on the locale of the system.
enum Figures {
  /// Returns about three digits, with a unit.
  static func text(_ value: Double, _ unit: Unit) -> String {
    switch unit {
    case .bytes: bytes(value)
    case .nanoseconds: time(value)
    case .nanosecondsPerByte: throughput(value)
    }
  }

  /// Returns megabytes, of a million bytes, a second.
  static func throughput(_ nanosecondsPerByte: Double) -> String {
    nanosecondsPerByte > 0 ? short(1_000 / nanosecondsPerByte) + " MB/s" : "0 MB/s"
  }

  static func time(_ nanoseconds: Double) -> String {
    switch nanoseconds {
    case ..<999.5: short(nanoseconds) + " ns"
    case ..<999_500: short(nanoseconds / 1e3) + " µs"
    case ..<999_500_000: short(nanoseconds / 1e6) + " ms"
    default: short(nanoseconds / 1e9) + " s"
    }
  }

  static func bytes(_ value: Double) -> String {
    switch abs(value) {
    case ..<10_240: short(value) + " B"
    case ..<10_485_760: short(value / 1_024) + " KiB"
    case ..<10_737_418_240: short(value / 1_048_576) + " MiB"
    default: short(value / 1_073_741_824) + " GiB"
    }
  }

  static func ratio(_ value: Double) -> String {
    switch abs(value) {
    case 0: "0"
    case ..<0.001: "<0.001"
    case ..<0.01: String(format: "%.3f", value)
    default: short(value, 2)
    }
  }

  /// Returns half of the distance between the least and the greatest run, relative to the median.
  static func spread(_ measurement: Measurement) -> String {
    measurement.samples.count < 2 ? "" : "±\(Int((measurement.spread * 50).rounded())) %"
  }

  /// Returns a size in groups of three digits: 1000000 as 1,000,000.
  static func size(_ value: Int) -> String {
    var digits = String(value)
    var groups: [String] = []
    while digits.count > 3 {
      groups.insert(String(digits.suffix(3)), at: 0)
      digits.removeLast(3)
    }
    return ([digits] + groups).joined(separator: ",")
  }

  private static func short(_ value: Double, _ least: Int = 1) -> String {
    switch abs(value) {
    case 0: "0"
    case ..<9.995: String(format: "%.\(max(least, 1))f", value)
    case ..<99.95: String(format: "%.1f", value)
    default: String(format: "%.0f", value)
    }
  }
}
