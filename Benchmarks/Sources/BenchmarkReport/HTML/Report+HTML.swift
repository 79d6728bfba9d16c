extension Report {
  /// The figures as one self-contained page with charts.
  package var html: String {
    let styles = contestantStyles
    var body = ["<h1>Entia's benchmarks</h1>", "<p>\(escaped(summary))</p>"]
    if !isOptimized || isSmoke {
      body.append(
        "<p class=\"warning\">\(isSmoke ? "A smoke run" : "Built without optimization"): "
          + "these figures mean nothing.</p>")
    }
    body += barsSection
    for suite in uniqueSuites {
      body.append("<h2>\(escaped(suite))</h2>")
      for item in suites where item.suite == suite {
        if let reason = item.skipped {
          body.append(
            "<p>\(Figures.size(item.size)) rows were skipped: \(escaped(reason)).</p>")
        }
      }
      body.append("<div class=\"cases\">")
      body += cases(of: suite).map { Self.section($0, styles) }
      body.append("</div>")
    }
    return """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>Entia's benchmarks</title>
      <style>
      \(htmlStyle)
      </style>
      </head>
      <body>
      \(body.joined(separator: "\n"))
      </body>
      </html>

      """
  }

  private var summary: String {
    let peak = peakBytes > 0 ? ", at most \(Figures.bytes(Double(peakBytes))) resident" : ""
    return "\(machine). Medians of \(rounds) turns in which the contestants alternate\(peak). "
      + "Only ratios within one run count. Both axes are logarithmic."
  }

  private var barsSection: [String] {
    let verdicts = verdicts
    guard !verdicts.isEmpty else { return [] }
    var lines = [
      "<p><strong>\(verdicts.count - misses) of \(verdicts.count) bars are met.</strong></p>"
    ]
    let missed = verdicts.filter { !$0.verdict.isMet }
    guard !missed.isEmpty else { return lines }
    lines.append("<ul>")
    for (suite, item, verdict) in missed {
      lines.append(
        "<li class=\"miss\">"
          + escaped(
            "\(suite), \(Figures.size(item.size)) rows, \(item.name): "
              + "\(verdict.figureText(item.unit)), \(verdict.text(item.unit))") + "</li>")
    }
    return lines + ["</ul>"]
  }

  private var uniqueSuites: [String] {
    var names: [String] = []
    for suite in suites where !names.contains(suite.suite) { names.append(suite.suite) }
    return names
  }

  /// The index of each contestant's color and mark, the same in every chart.
  private var contestantStyles: [String: Int] {
    var styles: [String: Int] = [:]
    for item in suites.flatMap(\.cases) {
      for measurement in item.measurements where styles[measurement.contestant] == nil {
        styles[measurement.contestant] = styles.count % htmlStyleCount
      }
    }
    return styles
  }

  /// Returns the suite's cases, each with its results in ascending order of size.
  private func cases(of suite: String) -> [[CaseResult]] {
    var groups: [[CaseResult]] = []
    for item in suites.filter({ $0.suite == suite }).sorted(by: { $0.size < $1.size })
      .flatMap(\.cases)
    {
      if let place = groups.firstIndex(where: { $0[0].name == item.name }) {
        groups[place].append(item)
      } else {
        groups.append([item])
      }
    }
    return groups
  }

  private static func section(_ items: [CaseResult], _ styles: [String: Int]) -> String {
    var names: [String] = []
    for name in items.flatMap({ $0.measurements.map(\.contestant) }) where !names.contains(name) {
      names.append(name)
    }
    let chart = Chart(
      title: items[0].name, unit: items[0].unit,
      lines: names.map { name in
        Chart.Line(
          name: name, style: styles[name] ?? 0,
          points: items.compactMap { item in
            item.measurement(of: name).map { (item.size, $0.median) }
          })
      })
    var parts = ["<section>", "<h3>\(escaped(items[0].name))</h3>"]
    if !items[0].note.isEmpty { parts.append("<p class=\"note\">\(escaped(items[0].note))</p>") }
    // A single size has no line; the table suffices.
    if items.count > 1, let svg = chart.svg {
      parts += [legend(names, styles), svg]
    }
    parts.append(table(items, names, styles))
    parts.append("</section>")
    return parts.joined(separator: "\n")
  }

  private static func legend(_ names: [String], _ styles: [String: Int]) -> String {
    let entries = names.map { "<span>\(key(styles[$0] ?? 0))\(escaped($0))</span>" }
    return "<p class=\"legend\">\(entries.joined(separator: "\n"))</p>"
  }

  /// Returns a contestant's mark in its color.
  private static func key(_ style: Int) -> String {
    "<svg class=\"key\" viewBox=\"-6 -6 12 12\" aria-hidden=\"true\">"
      + "<g class=\"line s\(style)\">\(Chart.mark(style))</g></svg>"
  }

  private static func table(
    _ items: [CaseResult], _ names: [String], _ styles: [String: Int]
  ) -> String {
    var rows = [
      "<tr><th></th>" + items.map { "<th>\(Figures.size($0.size))</th>" }.joined() + "</tr>"
    ]
    for name in names {
      let style = styles[name] ?? 0
      let cells = items.map { cell($0, name) }.joined()
      rows.append(
        "<tr><th class=\"name\">\(key(style))\(escaped(name))</th>"
          + cells + "</tr>")
    }
    return "<table>\n\(rows.joined(separator: "\n"))\n</table>"
  }

  private static func cell(_ item: CaseResult, _ name: String) -> String {
    guard let measurement = item.measurement(of: name) else { return "<td></td>" }
    let isSubject = item.subject?.contestant == name
    var lines = [
      "<b>\(Figures.text(measurement.median, item.unit))</b> \(Figures.spread(measurement))"
    ]
    if let allocations = measurement.allocations {
      lines.append(
        "<i>\(Figures.ratio(allocations.count)) allocations, "
          + "\(Figures.bytes(allocations.bytes))</i>")
    }
    if !isSubject, let ratio = item.ratio(to: measurement) {
      lines.append("entia ×\(Figures.ratio(ratio))")
    }
    for verdict in item.verdicts where verdict.contestant == (isSubject ? nil : name) {
      lines.append(
        "<span class=\"\(verdict.isMet ? "met" : "miss")\">\(verdict.text(item.unit))</span>")
    }
    return "<td>\(lines.joined(separator: "<br>"))</td>"
  }
}
