import Testing

@testable import BenchmarkReport

@Suite("The page with charts")
struct HTMLTests {
  @Test("a scale puts equal factors equally far apart, on whole decades")
  func scale() throws {
    let scale = try #require(LogScale([5, 400], from: 300, to: 0))
    #expect((scale.low, scale.high) == (0, 3))
    #expect(scale.position(1) == 300)
    #expect(scale.position(1_000) == 0)
    #expect(abs(scale.position(10) - 200) < 1e-9)
    #expect(scale.ticks == [1, 10, 100, 1_000])
  }

  @Test("a scale has at least a decade, at most seven ticks, and needs something above 0")
  func scaleEdges() throws {
    let narrow = try #require(LogScale([10], from: 0, to: 100))
    #expect((narrow.low, narrow.high) == (1, 2))
    let wide = try #require(LogScale([1e-3, 1e12], from: 0, to: 100))
    #expect(wide.ticks.count <= 7)
    #expect(LogScale([0, -1, .nan], from: 0, to: 100) == nil)
  }

  @Test("a chart has a line and a mark a point for each contestant")
  func chart() throws {
    let svg = try #require(
      Chart(
        title: "a < b", unit: .nanoseconds,
        lines: [
          Chart.Line(name: "entia", style: 0, points: [(1_000, 5), (1_000_000, 100)]),
          Chart.Line(name: "array", style: 1, points: [(1_000, 0), (1_000_000, 2_000)]),
        ]
      ).svg)
    #expect(svg.contains("aria-label=\"a &lt; b: time of one operation by rows\""))
    #expect(svg.components("<polyline") == 1, "one point makes no line")
    #expect(svg.components("<title>") == 3, "0 has no place on a logarithmic axis")
    #expect(svg.contains("<title>array, 1,000,000 rows: 2.0 µs</title>"))
    for tick in [">1 ns<", ">10 µs<", ">1k<", ">1M<", ">rows<"] { #expect(svg.contains(tick)) }
  }

  @Test("the page holds everything itself, in the light and in the dark")
  func page() {
    let report = sampleReport(
      sampleCase(
        named: "a & b", size: 1_000, verdicts: [Verdict(contestant: "array", limit: 1, figure: 2)],
        [("entia", [6]), ("array", [3])]),
      sampleCase(named: "a & b", size: 32_000, [("entia", [6]), ("array", [3])]))
    let html = report.html
    #expect(html.contains("prefers-color-scheme: dark"))
    #expect(!html.contains("<script") && !html.contains("http") && !html.contains("url("))
    #expect(html.contains("<h3>a &amp; b</h3>"))
    #expect(html.contains("0 of 1 bars are met."))
    #expect(html.contains("<span class=\"miss\">bar ×1.00 MISS</span>"))
    #expect(html.components("<polyline") == 2)
    #expect(report.html == html)
  }
}

extension String {
  /// How often a text is in this one.
  fileprivate func components(_ text: String) -> Int {
    var count = 0
    var rest = self[...]
    while let found = rest.firstRange(of: text) {
      count += 1
      rest = rest[found.upperBound...]
    }
    return count
  }
}
