import Testing

@testable import EntiaCollections

@Suite("PersistentTable: every history")
struct TableExhaustiveTests {
  /// What a history begins with: rows inserted one after the other, the first of them removed.
  struct Start: Sendable, CustomTestStringConvertible {
    let filled: Int
    var drained = 0

    var testDescription: String { "\(filled) rows, \(drained) removed" }
  }

  /// Beside the empty table: each side of a page's end, of a full chunk, of a chunk that is split,
  /// and of the thresholds at which a table is compacted.
  static let starts: [Start] =
    [
      Start(filled: 0), Start(filled: 4), Start(filled: 12), Start(filled: 31), Start(filled: 63),
      Start(filled: 200, drained: 181), Start(filled: 200, drained: 182), Start(filled: 384),
    ]

  static let qualities: [HashQuality] =
    TestRuns.isOptimized ? [.good, .equal, .mixed] : [.mixed]

  @Test(
    "Laws 1–3, 5, 6: every sequence of steps, in place and on storage that is shared",
    arguments: starts, qualities)
  func everySequence(start: Start, quality: HashQuality) throws {
    let length = try Self.length(start, quality)
    let problem =
      walk(SlimRow.self, start, quality, length: length)
      ?? walk(WideRow.self, start, quality, length: length)
      ?? (start.filled == 63 ? walk(PlainRow.self, start, quality, length: length) : nil)
    if let problem { Issue.record("\(start.testDescription): \(problem)") }
  }

  /// As many steps as take moments: few where making the start anew for every sequence takes long.
  private static func length(_ start: Start, _ quality: HashQuality) throws -> Int {
    let short = (start.filled > 12 ? 1 : 2) + (try TestRuns.scale >= 10 ? 1 : 0)
    if !TestRuns.isOptimized { return short }
    return short + (start.filled == 0 && quality == .good ? 2 : 1)
  }

  private func walk<Row: ProofRow>(
    _: Row.Type, _ start: Start, _ quality: HashQuality, length: Int
  ) -> String? {
    let universe = start.filled + 3
    let steps = Self.steps(first: start.drained, last: start.filled, universe: universe)
    let census = RowCensus()
    func begin() -> (TableHistory<Row>, String?) {
      var history = TableHistory<Row>(universe: universe, quality: quality, census: census)
      let problem = history.take(
        TableStep(kind: .fill, version: 0, value: 0, amount: start.filled))
      return (
        history,
        problem
          ?? history.take(TableStep(kind: .drain, version: 0, value: 0, amount: start.drained))
      )
    }
    do {
      let (base, problem) = begin()
      if let problem { return problem }
      if let problem = follow(steps, from: base, length: length) { return "shared: \(problem)" }
    }
    if census.living != 0 { return "shared: \(census.living) objects outlive all versions" }
    for number in 0..<(0..<length).reduce(1, { product, _ in product * steps.count }) {
      var (history, problem) = begin()
      var rest = number
      for _ in 0..<length where problem == nil {
        problem = history.take(steps[rest % steps.count])
        rest /= steps.count
      }
      problem = problem ?? history.checkAfterSteps() ?? history.checkLifetimes()
      if let problem { return "in place, sequence \(number): \(problem)" }
    }
    return census.living == 0 ? nil : "in place: \(census.living) objects outlive all versions"
  }

  /// Goes on in every way from a history that stays, and so shares all that is changed.
  private func follow<Row: ProofRow>(
    _ steps: [TableStep], from history: TableHistory<Row>, length: Int
  ) -> String? {
    if length == 0 { return nil }
    for step in steps {
      var next = history
      if let problem = next.take(step) ?? next.checkAfterSteps()
        ?? follow(steps, from: next, length: length - 1)
      {
        return "\(step): \(problem)"
      }
    }
    return history.glance(0, 0)
  }

  /// Every kind of step, on a row at the beginning, one at the end, and keys that are not there.
  private static func steps(first: Int, last: Int, universe: Int) -> [TableStep] {
    let end = max(0, last - 1)
    let keys: [(TableStep.Kind, Int)] = [
      (.insert, last), (.insert, last + 1), (.insert, first), (.updateOrInsert, end),
      (.remove, first), (.remove, end), (.remove, first + 1), (.update, end),
      (.failingUpdate, first), (.replaceSlot, first), (.insertEqual, end), (.replace, end),
      (.walk, 0), (.removeAll, 0), (.rebuild, last),
    ]
    return keys.map { TableStep(kind: $0.0, version: 0, value: $0.1) } + [
      TableStep(kind: .copy, version: 0, value: 0, amount: 1),
      TableStep(kind: .copy, version: 1, value: 0, amount: 0),
      TableStep(kind: .reserve, version: 0, value: 0, amount: universe * 2),
    ]
  }
}

extension TableHistory {
  /// Checks the two versions that short histories use.
  fileprivate func checkAfterSteps() -> String? { check(0) ?? check(1) ?? compare(1, 0) }
}
