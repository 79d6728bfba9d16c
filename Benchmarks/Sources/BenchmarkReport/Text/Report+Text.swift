extension Report {
  /// The figures as a table: each contestant's median and spread, the allocations of an operation,
  /// and the ratio of the subject's figure to the contestant's with the bar.
  package var text: String {
    let tables = suites.map(Self.text).joined(separator: "\n")
    let peak = peakBytes > 0 ? "; at most \(Figures.bytes(Double(peakBytes))) resident" : ""
    return "\(tables)\n\(machine); medians of \(rounds) turns\(peak)\n"
  }

  /// All bars with their figures, and the number of missed bars.
  package var barsText: String {
    guard !verdicts.isEmpty else { return "No bars at these sizes.\n" }
    var lines = ["Bars"]
    for (suite, item, verdict) in verdicts {
      lines.append(
        "  " + Columns.left("\(suite), \(item.size): \(item.name)", 60)
          + Columns.right(verdict.figureText(item.unit), 10) + "  bar "
          + Columns.right(verdict.limitText(item.unit), 9)
          + (verdict.isMet ? "  ok" : "  MISS"))
    }
    lines.append("\(verdicts.count - misses) met, \(misses) missed")
    return lines.joined(separator: "\n") + "\n"
  }

  private static func text(_ suite: SuiteResult) -> String {
    if let reason = suite.skipped {
      return "\(suite.suite), \(Figures.size(suite.size)) rows: skipped, \(reason)\n"
    }
    var lines = [
      Columns.left("\(suite.suite), \(Figures.size(suite.size)) rows", 30)
        + Columns.right("median", 10) + Columns.right("spread", 8)
        + Columns.right("allocations", 13) + Columns.right("bytes", 10)
        + Columns.right("entia is", 10)
    ]
    for item in suite.cases {
      lines.append("  \(item.name)")
      if !item.note.isEmpty { lines.append("    (\(item.note))") }
      for index in item.measurements.indices { lines.append(line(of: item, index)) }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func line(of item: CaseResult, _ index: Int) -> String {
    let measurement = item.measurements[index]
    var line =
      Columns.left("    \(measurement.contestant)", 30)
      + Columns.right(Figures.text(measurement.median, item.unit), 10)
      + Columns.right(Figures.spread(measurement), 8)
    let allocations = measurement.allocations
    line += Columns.right(allocations.map { Figures.ratio($0.count) } ?? "", 13)
    line += Columns.right(allocations.map { Figures.bytes($0.bytes) } ?? "", 10)
    let ratio = index == 0 ? nil : item.ratio(to: measurement)
    line += Columns.right(ratio.map { "×" + Figures.ratio($0) } ?? "", 10)
    let name = index == 0 ? nil : measurement.contestant
    for verdict in item.verdicts where verdict.contestant == name {
      line += "  " + verdict.text(item.unit)
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}
