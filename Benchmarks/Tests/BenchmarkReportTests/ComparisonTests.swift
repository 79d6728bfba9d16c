import BenchmarkReport
import Testing

@Suite("Two reports compared")
struct ComparisonTests {
  @Test("the ratio, what the others changed by, and what is beyond the spread")
  func changes() throws {
    let old = sampleReport(sampleCase([("entia", [9, 10, 11]), ("dictionary", [20, 20, 20])]))
    let new = sampleReport(sampleCase([("entia", [29, 30, 31]), ("dictionary", [30, 30, 30])]))
    let comparison = try Comparison(old: old, new: new)
    let change = try #require(comparison.changes.first)
    #expect(change.ratio == 3)
    #expect(change.drift == 1.5)
    #expect(change.adjusted == 2)
    #expect(change.isBeyondSpread)
    #expect(
      comparison.text.contains("×3.00          ×2.00  slower"), Comment(rawValue: comparison.text))
    #expect(comparison.text.contains("2 compared: 2 more, 0 less, the rest as before"))
  }

  @Test("runs that overlap are no change")
  func overlap() throws {
    let comparison = try Comparison(
      old: sampleReport(sampleCase([("entia", [9, 10, 15])])),
      new: sampleReport(sampleCase([("entia", [14, 20, 21])])))
    #expect(!comparison.changes[0].isBeyondSpread)
    #expect(comparison.changes[0].drift == nil)
    #expect(!comparison.text.contains("  slower"))
    #expect(comparison.text.contains("1 compared: 0 more, 0 less, the rest as before"))
  }

  @Test("less of both kinds has its word")
  func words() throws {
    let faster = try Comparison(
      old: sampleReport(sampleCase([("entia", [9])])),
      new: sampleReport(sampleCase([("entia", [8])]))
    )
    #expect(faster.text.contains("  faster"))
    let bytes = try Comparison(
      old: sampleReport(sampleCase(unit: .bytes, [("entia", [9]), ("array", [9])])),
      new: sampleReport(sampleCase(unit: .bytes, [("entia", [8]), ("array", [9])])))
    #expect(bytes.text.contains("  less"))
    #expect(bytes.changes[0].adjusted == nil)
  }

  @Test("what only one of them has is listed")
  func missing() throws {
    let comparison = try Comparison(
      old: sampleReport(
        sampleCase(named: "find", [("entia", [1])]), sampleCase(named: "old", [("entia", [1])])),
      new: sampleReport(
        sampleCase(named: "find", [("entia", [1])]), sampleCase(named: "new", [("entia", [1])])))
    #expect(comparison.added == ["tables, 1,000: new"])
    #expect(comparison.dropped == ["tables, 1,000: old"])
    #expect(comparison.text.contains("only in the old report: tables, 1,000: old"))
  }

  @Test("nothing in common is an error")
  func nothing() {
    let error = #expect(throws: ReportError.self) {
      try Comparison(
        old: sampleReport(sampleCase(size: 10, [("entia", [1])])),
        new: sampleReport(sampleCase(size: 20, [("entia", [1])])))
    }
    #expect(error?.description == "the two reports have no case at the same size")
  }
}
