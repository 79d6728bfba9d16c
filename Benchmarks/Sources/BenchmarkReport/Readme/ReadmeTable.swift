/// The tables of figures in the README, with the best rival of each row.
package struct ReadmeTable {
  /// The rows of the table: the label, and the case.
  static let rows: [(label: String, suite: String, item: String)] = [
    ("change one row, old version kept", "tables", "update one, old version alive"),
    ("commit of one row, all or nothing", "relations", "commit of one row in a batch"),
    ("difference of two versions, 100 rows changed", "tables", "difference, 100 changed"),
    ("`==` after one change", "tables", "== after one change"),
    ("find, integer ID", "tables", "find, integer IDs"),
    ("find, string ID", "tables", "find, string IDs"),
    ("insert, a row", "tables", "insert, bulk"),
    ("update in place", "tables", "update in place"),
    ("remove", "tables", "remove"),
    ("iterate, a row", "tables", "iterate, a row"),
    ("a post with its author, 3 comments and their authors", "relations", "denormalize a post"),
    ("first 50 by a field, after one change", "sorted", "first 50 after one update"),
    ("insert anywhere in an `IdentifiedArray`", "identified", "insert anywhere"),
    ("write by ID in a copy of one", "identified", "copy and one write"),
    ("memory beyond the row itself", "tables", "bytes a row beyond the entity"),
    ("memory of a kept version, one row changed", "tables", "bytes a kept version"),
  ]

  /// The names of the suites whose figures the tables have.
  package static var suites: Set<String> { Set(rows.map(\.suite)).union([throughput.suite]) }

  /// The contestants of the table of throughput, at the greatest size.
  static let readers = [
    ("entia", "Entia, tokens"), ("entia, typed import", "Entia, typed import"),
    ("entia, dynamic import", "Entia, dynamic import"), ("JSONDecoder", "`JSONDecoder`"),
    ("JSONSerialization", "`JSONSerialization`"), ("Python json", "Python `json`"),
  ]
  private static let throughput = (suite: "import", item: "throughput of JSON")

  /// The contestants that are shown in addition to Entia, at the greatest size.
  static let rivals = [
    ("dictionary", "`Dictionary`"), ("array", "`Array`"), ("nested", "nested"),
    ("sqlite", "SQLite"),
  ]

  package let markdown: String

  /// Creates the table of a report.
  /// - Throws: `ReportError` if the figures of the report are meaningless or a row is missing.
  package init(_ report: Report) throws {
    guard report.isOptimized, !report.isSmoke else {
      throw ReportError(
        "the figures of a smoke run or of a build without optimization mean nothing")
    }
    let sizes = report.sizes
    guard let greatest = sizes.last else { throw ReportError("the report has no figures") }
    let first = "Entia, \(Figures.size(sizes[0])) posts"
    let head =
      ["A time each", first] + sizes.dropFirst().map(Figures.size)
      + Self.rivals.map { "\($0.1), \(Figures.size(greatest))" }
      + ["best other ÷ Entia, \(Figures.size(greatest))"]
    var best: [Best] = []
    var lines = [Self.line(head), Self.line(head.map { _ in "---" })]
    for row in Self.rows {
      let items = sizes.map { report.result(row.suite, row.item, size: $0) }
      guard let last = items[items.count - 1], items.allSatisfy({ $0 != nil }) else {
        throw ReportError(
          "the report lacks “\(row.item)” of \(row.suite) at some size; run all suites at the same "
            + "sizes")
      }
      let own = items.map { Self.cell($0?.subject, last.unit) }
      let others = Self.rivals.map { Self.cell(last.measurement(of: $0.0), last.unit) }
      let least = Best(last)
      if let least { best.append(least) }
      lines.append(Self.line([row.label] + own + others + [least?.cell ?? ""]))
    }
    lines += [""] + Self.throughputLines(report, size: greatest)
    lines += ["", "\(report.machine). Medians of \(report.rounds) interleaved turns."]
    lines += Self.conclusion(best)
    markdown = lines.joined(separator: "\n")
  }

  /// Returns the table of throughput, of the contestants that took part.
  private static func throughputLines(_ report: Report, size: Int) -> [String] {
    guard let item = report.result(throughput.suite, throughput.item, size: size) else { return [] }
    let readers = readers.compactMap { name, label in
      item.measurement(of: name).map { (label, Figures.text($0.median, item.unit)) }
    }
    let head = ["JSON read, of \(Figures.size(size)) rows"] + readers.map(\.0)
    return [
      line(head), line(head.map { _ in "---" }), line(["throughput"] + readers.map(\.1)),
    ]
  }

  /// The rival with the least figure in a row, beside Entia.
  private struct Best {
    let label: String
    let ratio: Double

    init?(_ item: CaseResult) {
      guard let own = item.subject?.median else { return nil }
      let figures = ReadmeTable.rivals.compactMap { name, label in
        item.measurement(of: name).map { (label: label, median: $0.median) }
      }
      guard let least = figures.min(by: { $0.median < $1.median }) else { return nil }
      label = least.label
      ratio = least.median / own
    }

    /// Whether the rival takes less than Entia.
    var isLess: Bool { ratio < 1 }

    var cell: String {
      let text = "\(label) \(ReadmeTable.multiple(ratio))"
      return isLess ? "**\(text)**" : text
    }
  }

  /// Returns the sentences about the last column.
  private static func conclusion(_ best: [Best]) -> [String] {
    if best.isEmpty { return [] }
    let less = best.count { $0.isLess }
    let head = "The last column divides the least figure of the others by Entia's."
    if less == 0 { return ["", head] }
    return [
      "",
      "\(head) In \(less) of \(best.count) rows it is below 1, and bold: there Entia takes more.",
    ]
  }

  /// Returns a multiple in words; a great one has two digits.
  private static func multiple(_ value: Double) -> String {
    guard value >= 100 else { return Figures.ratio(value) }
    var unit = 1.0
    while value / unit >= 100 { unit *= 10 }
    return Figures.size(Int((value / unit).rounded() * unit))
  }

  private static func cell(_ measurement: Measurement?, _ unit: Unit) -> String {
    measurement.map { Figures.text($0.median, unit) } ?? ""
  }

  private static func line(_ cells: [String]) -> String {
    "| " + cells.map { $0.isEmpty ? "|" : $0 + " |" }.joined(separator: " ")
  }
}
