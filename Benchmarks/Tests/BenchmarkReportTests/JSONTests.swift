import BenchmarkReport
import Foundation
import Testing

@Suite("Reports as JSON")
struct JSONTests {
  private let report = sampleReport([
    SuiteResult(
      suite: "tables", size: 1_000,
      cases: [
        CaseResult(
          name: "find", note: "in any order", unit: .nanoseconds, size: 1_000,
          measurements: [
            Measurement(
              contestant: "entia", samples: [5.5, 5.25],
              allocations: Allocations(count: 0, bytes: 0)),
            Measurement(contestant: "dictionary", samples: [8.5, 8.75]),
          ],
          verdicts: [
            Verdict(contestant: "dictionary", limit: 0.65, figure: 0.625),
            Verdict(contestant: "dictionary", limit: 2, allowance: 256, figure: 0),
            Verdict(contestant: nil, limit: 5, figure: 5.5),
          ])
      ]),
    SuiteResult(suite: "tables", size: 10_000_000, cases: [], skipped: "there is no room"),
  ])

  @Test("what is written reads as the same report")
  func roundTrip() throws {
    #expect(try Report(json: report.json(), file: "a.json") == report)
  }

  @Test("the same report gives the same bytes")
  func bytes() throws {
    #expect(try report.json() == report.json())
  }

  @Test("the first version, which knew less, can be read")
  func firstVersion() throws {
    let text = """
      {"version": 1, "optimized": true, "smoke": false, "rounds": 7, "suites": [
        {"name": "tables", "size": 1000, "cases": [{"name": "find", "unit": "ns", "contestants": [
          {"name": "entia", "median": 5, "spread": 0, "ratio": 1, "samples": [5]}],
          "bars": [{"of": "dictionary", "limit": 1, "figure": 0.5, "met": true}]}]}]}
      """
    let old = try Report(json: Data(text.utf8), file: "a.json")
    #expect(old.result("tables", "find", size: 1_000)?.subject?.median == 5)
    #expect(old.verdicts.count == 1)
  }

  @Test(
    "a file that is none is told by name and reason",
    arguments: [
      ("not JSON", "a.json is no report of this program: it is no JSON"),
      ("[]", "a.json is no report of this program: something else was expected at the top"),
      ("{}", "a.json is no report of this program: no “version” at the top"),
      ("{\"version\": 9}", "a.json is a report of version 9; this program reads versions 1 to 2"),
      ("{\"version\": 2}", "a.json is no report of this program: no “optimized” at the top"),
      (
        "{\"version\": 2, \"optimized\": true, \"smoke\": true, \"rounds\": 1, \"suites\": [{}]}",
        "a.json is no report of this program: no “name” at suites.0"
      ),
    ])
  func wrongFile(text: String, message: String) throws {
    let error = #expect(throws: ReportError.self) {
      try Report(json: Data(text.utf8), file: "a.json")
    }
    #expect(error?.description == message)
  }
}
