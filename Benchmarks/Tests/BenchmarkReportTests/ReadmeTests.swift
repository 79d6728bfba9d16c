import Testing

@testable import BenchmarkReport

@Suite("The README's table")
struct ReadmeTests {
  private func report(isSmoke: Bool = false, without missing: String? = nil) -> Report {
    sampleReport(
      [1_000, 32_000].flatMap { size in
        ReadmeTable.rows.map { row in
          SuiteResult(
            suite: row.suite, size: size,
            cases: row.item == missing
              ? []
              : [
                sampleCase(
                  named: row.item, size: size,
                  verdicts: [Verdict(contestant: nil, limit: 1, figure: Double(size) / 1_000)],
                  [("entia", [12_345]), ("dictionary", [Double(size)]), ("sqlite", [2e9])])
              ])
        }
      }, isSmoke: isSmoke)
  }

  @Test("a row a case: Entia at each size, the others at the greatest")
  func table() throws {
    let lines = try ReadmeTable(report()).markdown.split(separator: "\n")
    #expect(
      lines[0]
        == "| A time each | Entia, 1,000 posts | 32,000 | `Dictionary`, 32,000 | `Array`, 32,000 | nested, 32,000 | SQLite, 32,000 | best other ÷ Entia, 32,000 |"
    )
    #expect(lines[1] == "| --- | --- | --- | --- | --- | --- | --- | --- |")
    #expect(
      lines[2]
        == "| change one row, old version kept | 12.3 µs | 12.3 µs | 32.0 µs | | | 2.0 s | `Dictionary` 2.59 |"
    )
    #expect(lines.count == ReadmeTable.rows.count + 4)
    #expect(lines[lines.count - 2] == "Swift 6, a machine. Medians of 3 interleaved turns.")
    #expect(
      lines[lines.count - 1]
        == "The last column divides the least figure of the others by Entia's.")
  }

  @Test("the tables need the figures of five suites")
  func suites() {
    #expect(ReadmeTable.suites == ["tables", "relations", "sorted", "identified", "import"])
  }

  @Test("a second table has the throughput of the readers that took part")
  func throughput() throws {
    let item = CaseResult(
      name: "throughput of JSON", unit: .nanosecondsPerByte, size: 32_000,
      measurements: [
        Measurement(contestant: "entia", samples: [2]),
        Measurement(contestant: "JSONDecoder", samples: [12.5]),
      ])
    let whole = report()
    let table = try ReadmeTable(
      sampleReport(
        whole.suites + [SuiteResult(suite: "import", size: 32_000, cases: [item])]))
    #expect(
      table.markdown.contains(
        """
        | JSON read, of 32,000 rows | Entia, tokens | `JSONDecoder` |
        | --- | --- | --- |
        | throughput | 500 MB/s | 80.0 MB/s |

        Swift 6, a machine. Medians of 3 interleaved turns.
        """))
  }

  @Test(
    "the last column has the best rival at the greatest size, in bold if it takes less than Entia")
  func conclusion() throws {
    let figures: [String: [(String, [Double])]] = [
      "remove": [("entia", [200]), ("dictionary", [150]), ("array", [300]), ("sqlite", [50])],
      "insert, bulk": [("entia", [200]), ("dictionary", [6_330_000]), ("sqlite", [7e9])],
    ]
    let suites = report().suites.map { suite in
      guard suite.size == 32_000, let own = figures[suite.cases[0].name] else { return suite }
      let item = CaseResult(
        name: suite.cases[0].name, unit: .nanoseconds, size: suite.size,
        measurements: own.map { Measurement(contestant: $0.0, samples: $0.1) })
      return SuiteResult(suite: suite.suite, size: suite.size, cases: [item])
    }
    let text = try ReadmeTable(sampleReport(suites)).markdown
    #expect(text.contains("| 50.0 ns | **SQLite 0.25** |\n"))
    #expect(text.contains("| 7.0 s | `Dictionary` 32,000 |\n"))
    #expect(
      text.hasSuffix(
        "turns.\n\nThe last column divides the least figure of the others by Entia's. In 1 of "
          + "\(ReadmeTable.rows.count) rows it is below 1, and bold: there Entia takes more."))
  }

  @Test("a report that is not whole or means nothing is refused")
  func refused() {
    let error = #expect(throws: ReportError.self) {
      try ReadmeTable(report(without: "iterate, a row"))
    }
    #expect(error?.description.contains("“iterate, a row”") == true)
    #expect(throws: ReportError.self) { try ReadmeTable(report(isSmoke: true)) }
    #expect(throws: ReportError.self) { try ReadmeTable(sampleReport([])) }
  }

  private let page = """
    # Entia

    <!-- benchmarks: begin -->
    old
    <!-- benchmarks: end -->

    More

    """

  @Test("what is between the marks is replaced, and nothing else")
  func replaced() throws {
    let marked = try MarkedText(page, file: "README.md").replaced(with: "new\nlines")
    #expect(
      marked == """
        # Entia

        <!-- benchmarks: begin -->

        new
        lines

        <!-- benchmarks: end -->

        More

        """)
    #expect(try MarkedText(marked, file: "README.md").replaced(with: "new\nlines") == marked)
  }

  @Test(
    "a page without both marks, in order and once, is refused by name",
    arguments: [
      "", "<!-- benchmarks: begin -->", "<!-- benchmarks: end -->\n<!-- benchmarks: begin -->",
      "<!-- benchmarks: begin -->\n<!-- benchmarks: begin -->\n<!-- benchmarks: end -->",
    ])
  func unmarked(page: String) {
    let error = #expect(throws: ReportError.self) { try MarkedText(page, file: "README.md") }
    #expect(
      error?.description
        == "README.md must have the line <!-- benchmarks: begin --> once and below it the line "
        + "<!-- benchmarks: end --> once")
  }
}
