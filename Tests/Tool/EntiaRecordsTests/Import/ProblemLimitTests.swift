import EntiaTestSupport
import Testing

@testable import EntiaRecords

@Suite("Problems are listed in bounded memory")
struct ProblemLimitTests {
  private let limit = ProblemList.limit

  private func report(dangling count: Int, strict: Bool = false) -> ImportReport {
    let rows = (0..<count).map { #""\#($0)":{"author":"a\#($0)"}"# }.joined(separator: ",")
    let text = """
      {"schema":{"entities":{"authors":{},"posts":{"relationships":{"author":{"to":"authors"}}}}},\
      "entities":{"authors":{},"posts":{\(rows)}},"result":{}}
      """
    let source = ImportSource(name: "db.json", bytes: Array(text.utf8))
    return Importer.importing(
      [source], into: nil, options: ImportOptions(format: .tables, strict: strict)
    ).report
  }

  @Test("Up to the limit, every problem is listed")
  func belowLimit() {
    let report = report(dangling: limit)
    expectTrue(report.problems.count == limit && report.problems.allSatisfy { $0.more == 0 })
  }

  @Test("Beyond the limit, problems are counted with one of their cause, in text and JSON")
  func aboveLimit() {
    let report = report(dangling: limit + 2_345)
    expectTrue(report.problems.count == limit && report.problems.total == limit + 2_345)
    expectEqual(report.problems.map(\.more).max(), 2_345)
    expectTrue(report.text().contains("0 errors, \(limit + 2_345) warnings"))
    let lines = ImportProblems(report.problems).lines(maximum: 3)
    expectEqual(
      lines.first?.hasPrefix("warning: \(limit + 2_345) × danglingReference in posts"), true)
    expectTrue(lines.last == "  … and \(limit + 2_342) more" && lines.count == 5)
    expectTrue(String(decoding: report.json(), as: UTF8.self).contains(#""more":2345"#))
    let strict = self.report(dangling: limit + 1, strict: true)
    expectTrue(strict.isRefused && strict.rejected == strict.read)
    expectEqual(strict.problems.total, limit + 1)
  }

  private func add(
    _ number: Int, cause: Int?, _ kind: ImportProblem.Kind, to list: inout ProblemList
  ) {
    list.add(
      kind, at: Origin(file: 0, offset: number), "m\(number)",
      cause: cause.map { ImportProblem.Cause("c\($0)") })
  }

  @Test(
    "Late kinds and causes are listed, and memory is bounded for any number of causes")
  func causes() {
    var list = ProblemList()
    for number in 0..<limit * 2 { add(number, cause: number % 2, .conflict, to: &list) }
    expectTrue(list.pending.count == limit && list.pending.reduce(0) { $0 + $1.more } == limit)
    add(1, cause: nil, .missingID, to: &list)
    expectTrue(list.contains(.missingID) && list.pending.count == limit + 1)
    let bound = limit + ProblemList.causeLimit + 2
    for number in 0..<limit { add(number, cause: 100 + number, .conflict, to: &list) }
    expectEqual(list.pending.count, bound)
    expectEqual(list.count, limit * 3 + 1)
    expectEqual(list.pending.reduce(0) { $0 + 1 + $1.more }, list.count)
    for number in 0..<limit { add(number, cause: nil, .typeMismatch, to: &list) }
    expectEqual(list.pending.count, bound + limit)
    expectTrue(list.hasErrors)
  }
}
