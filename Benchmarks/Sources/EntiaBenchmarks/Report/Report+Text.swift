import Foundation

extension Report {
  /// The figures as a table: each contestant's median and spread, and what the first one's figure is
  /// as a multiple of it, with the bar.
  var text: String {
    suites.map(Self.text).joined(separator: "\n")
  }

  /// Every bar beside its figure, and how many are missed.
  var barsText: String {
    guard !verdicts.isEmpty else { return "No bars at these sizes.\n" }
    var lines = ["Bars"]
    for (suite, item, verdict) in verdicts {
      lines.append(
        "  " + Self.left("\(suite), \(item.size): \(item.name)", 48)
          + Self.right(Self.ratio(verdict.figure), 9) + "  bar "
          + Self.right(Self.ratio(verdict.limit), 7)
          + (verdict.isMet ? "  ok" : "  MISS"))
    }
    lines.append("\(verdicts.count - misses) met, \(misses) missed")
    return lines.joined(separator: "\n") + "\n"
  }

  private static func text(_ suite: SuiteResult) -> String {
    var lines = [
      left("\(suite.suite), \(suite.size) rows", 44) + right("median", 12) + right("spread", 9)
        + right("entia is", 11)
    ]
    for item in suite.cases {
      lines.append("  \(item.name)")
      for (index, measurement) in item.measurements.enumerated() {
        var line =
          left("    \(measurement.contestant)", 44)
          + right(figure(measurement.median, item.unit), 12)
          + right("±\(Int((measurement.spread * 50).rounded())) %", 9)
        if index > 0, let ratio = item.ratio(to: measurement) {
          line += right("×" + Self.ratio(ratio), 11)
        }
        let name = index == 0 ? nil : measurement.contestant
        for verdict in item.verdicts where verdict.contestant == name {
          line += index == 0 ? String(repeating: " ", count: 11) : ""
          line += "  bar \(Self.ratio(verdict.limit)) \(verdict.isMet ? "ok" : "MISS")"
        }
        lines.append(line)
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func figure(_ value: Double, _ unit: Case.Unit) -> String {
    switch unit {
    case .bytes: String(format: "%.1f B", value)
    case .nanoseconds:
      switch value {
      case ..<1_000: String(format: "%.1f ns", value)
      case ..<1_000_000: String(format: "%.2f µs", value / 1_000)
      default: String(format: "%.2f ms", value / 1_000_000)
      }
    }
  }

  private static func ratio(_ value: Double) -> String {
    switch value {
    case ..<0.01: String(format: "%.2g", value)
    case ..<10: String(format: "%.2f", value)
    case ..<100: String(format: "%.1f", value)
    default: String(format: "%.0f", value)
    }
  }

  private static func left(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }

  private static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(1, width - text.count)) + text
  }
}
