/// The tables of figures in the README, and which rivals they show to be faster than Entia.
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
      lines.append(Self.line([row.label] + own + others))
    }
    lines += [""] + Self.throughputLines(report, size: greatest)
    lines += ["", "\(report.machine). Medians of \(report.rounds) interleaved turns."]
    lines += Self.conclusion(report, size: greatest)
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

  /// Returns two paragraphs about a size: the rows in which Entia takes least, and the rivals that
  /// take less than Entia. A paragraph without rows is left out.
  private static func conclusion(_ report: Report, size: Int) -> [String] {
    var slower: [String] = []
    var faster: [String] = []
    for row in rows {
      guard let item = report.result(row.suite, row.item, size: size),
        let own = item.subject?.median
      else { continue }
      let figures = rivals.compactMap { name, label in
        item.measurement(of: name).map { (label: label, median: $0.median) }
      }
      guard let best = figures.min(by: { $0.median < $1.median }) else { continue }
      if best.median < own {
        let shares = figures.filter { $0.median < own }
          .map { "\($0.label) \(Figures.ratio($0.median / own))" }
        faster.append("\(row.label): \(shares.joined(separator: ", "))")
      } else {
        slower.append("\(row.label): \(best.label) \(multiple(best.median / own))")
      }
    }
    let place = "At \(Figures.size(size)) rows"
    return paragraph(
      "\(place) the best of the others takes more than Entia, in multiples of its figure", slower)
      + paragraph("\(place) these take less than Entia, in shares of its figure", faster)
  }

  /// Returns a multiple in words; a great one has two digits.
  private static func multiple(_ value: Double) -> String {
    guard value >= 100 else { return Figures.ratio(value) }
    var unit = 1.0
    while value / unit >= 100 { unit *= 10 }
    return Figures.size(Int((value / unit).rounded() * unit))
  }

  private static func paragraph(_ head: String, _ entries: [String]) -> [String] {
    entries.isEmpty ? [] : ["", "\(head): \(entries.joined(separator: "; "))."]
  }

  private static func cell(_ measurement: Measurement?, _ unit: Unit) -> String {
    measurement.map { Figures.text($0.median, unit) } ?? ""
  }

  private static func line(_ cells: [String]) -> String {
    "| " + cells.map { $0.isEmpty ? "|" : $0 + " |" }.joined(separator: " ")
  }
}
