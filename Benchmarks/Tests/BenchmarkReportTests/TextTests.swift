import Testing

@testable import BenchmarkReport

@Suite("Figures as text")
struct TextTests {
  @Test(
    "a time has the unit that suits it",
    arguments: [
      (0, "0 ns"), (5.54, "5.5 ns"), (99.96, "100 ns"), (999.4, "999 ns"), (999.6, "1.0 µs"),
      (12_345, "12.3 µs"), (999_600, "1.0 ms"), (2.5e9, "2.5 s"),
    ] as [(Double, String)])
  func time(value: Double, text: String) { #expect(Figures.time(value) == text) }

  @Test(
    "so have bytes",
    arguments: [
      (0, "0 B"), (21.96, "22.0 B"), (2_048, "2048 B"), (65_536, "64.0 KiB"),
      (118 * 1_048_576, "118 MiB"), (-4, "-4.0 B"),
    ] as [(Double, String)])
  func bytes(value: Double, text: String) { #expect(Figures.bytes(value) == text) }

  @Test(
    "a ratio keeps two digits",
    arguments: [
      (0.654, "0.65"), (0, "0"), (0.00012, "<0.001"), (0.0012, "0.001"), (12.34, "12.3"),
      (1_234, "1234"),
    ]
      as [(Double, String)])
  func ratio(value: Double, text: String) { #expect(Figures.ratio(value) == text) }

  @Test("sizes are grouped")
  func size() {
    #expect(
      [1, 1_000, 32_000, 1_000_000].map(Figures.size) == ["1", "1,000", "32,000", "1,000,000"])
  }

  @Test("the table has medians, spreads, ratios and bars, and marks what is missed")
  func report() {
    let text = sampleReport(
      sampleCase(
        note: "in any order",
        verdicts: [Verdict(contestant: "dictionary", limit: 0.65, figure: 0.7)],
        [("entia", [6, 7, 8]), ("dictionary", [10, 10, 10])])
    ).text
    #expect(
      text == """
        tables, 1,000 rows                median  spread  allocations     bytes  entia is
          find
            (in any order)
            entia                         7.0 ns   ±14 %
            dictionary                   10.0 ns    ±0 %                            ×0.70  bar ×0.65 MISS

        Swift 6, a machine; medians of 3 turns; at most 3072 KiB resident

        """)
  }

  @Test("a size that was skipped says why")
  func skipped() {
    let text = sampleReport([
      SuiteResult(suite: "tables", size: 10_000_000, cases: [], skipped: "there is no room")
    ]).text
    #expect(text.hasPrefix("tables, 10,000,000 rows: skipped, there is no room\n"))
  }

  @Test("the list of bars counts them")
  func bars() {
    let report = sampleReport(
      sampleCase(
        unit: .bytes,
        verdicts: [
          Verdict(contestant: nil, limit: 64, figure: 40),
          Verdict(contestant: "array", limit: 2, allowance: 256, figure: 3),
        ],
        [("entia", [40]), ("array", [10])]))
    #expect(report.misses == 1)
    #expect(report.barsText.contains("×3.00  bar  ×2.00 + 256 B  MISS"))
    #expect(report.barsText.hasSuffix("1 met, 1 missed\n"))
    #expect(sampleReport([]).barsText == "No bars at these sizes.\n")
  }
}
