import Testing

@testable import EntiaCollections

@Suite("PersistentTable: random histories")
struct TableHistoryTests {
  /// Seeds of histories that once failed.
  static let corpus: [UInt64] = []

  // Optimized, 200,000 steps at scale 1; ENTIA_TEST_SCALE=50 makes it 10 million.
  static let histories = TestRuns.isOptimized ? 400 : 8
  static let steps = TestRuns.isOptimized ? 500 : 250

  @Test("Laws 1–3, 5, 6: a table, and every version of it, equals its model after every step")
  func matchesModel() throws {
    for seed in try TestRuns(count: Self.histories, corpus: Self.corpus).seeds {
      var random = SplitMix(seed: seed)
      let problem =
        switch Int.random(in: 0..<5, using: &random) {
        case 0, 1: problem(SlimRow.self, random)
        case 2, 3: problem(WideRow.self, random)
        default: problem(PlainRow.self, random)
        }
      if let problem {
        Issue.record("ENTIA_TEST_SEED=\(seed): \(problem)")
        return
      }
    }
  }

  private func problem<Row: ProofRow>(_: Row.Type, _ seeded: SplitMix) -> String? {
    var random = seeded
    let quality = HashQuality.allCases.randomElement(using: &random) ?? .good
    let universe = [5, 40, 300, quality == .good ? 3_000 : 700].randomElement(using: &random) ?? 5
    // How many steps there are between two checks of everything.
    let every = universe / 6 + 1
    let census = RowCensus()
    do {
      var history = TableHistory<Row>(universe: universe, quality: quality, census: census)
      var source = StepSource(
        random: random, universe: universe, isForking: Int.random(in: 0..<4, using: &random) > 0)
      for number in 1...Self.steps {
        let step = source.next()
        let checks = number % every == 0 || number == Self.steps
        let problem =
          history.take(step)
          ?? (checks ? history.check() ?? history.checkLifetimes() : nil)
        if let problem {
          return
            "\(Row.self), \(quality) hashes, \(universe) keys, step \(number), \(step): \(problem)"
        }
      }
    }
    return census.living == 0 ? nil : "\(census.living) objects outlive all versions"
  }
}
