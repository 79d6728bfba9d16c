import BenchmarkReport

/// Runs suites. Every contestant runs once to check that the results match, then once to count
/// allocations. In the timed turns that follow, the contestants alternate.
struct Runner {
  /// A contestant with longer turns, including preparation, has fewer of them.
  private static let slowTurn = Duration.seconds(2)
  private static let slowRounds = 3

  /// The number of timed turns of each contestant.
  let rounds: Int
  /// The minimum time that a turn measures.
  let turnNanoseconds: Double
  let isSmoke: Bool
  /// A substring of the names of the cases to run; `nil` for all.
  let filter: String?
  let progress: Progress

  /// Runs a suite at every size, in ascending order.
  func run(_ suite: Suite, sizes: [Int]) throws -> [SuiteResult] {
    try sizes.enumerated().map { place, size in
      if let reason = suite.reasonToSkip(size) {
        return SuiteResult(suite: suite.name, size: size, cases: [], skipped: reason)
      }
      return try run(suite, size: size, isFirst: place == 0)
    }
  }

  private func run(_ suite: Suite, size: Int, isFirst: Bool) throws -> SuiteResult {
    let stage = Stage(size: size, isSmoke: isSmoke)
    let cases = suite.cases.filter { item in
      (item.isScaled || isFirst) && (filter.map(item.name.contains) ?? true)
    }
    progress.show("\(suite.name), \(size) rows: checking")
    if !cases.isEmpty { try suite.check?(stage) }
    var results: [CaseResult] = []
    for (index, item) in cases.enumerated() {
      progress.show("\(suite.name), \(size) rows: \(index + 1)/\(cases.count) \(item.name)")
      results.append(try run(item, on: stage))
    }
    progress.clear()
    return SuiteResult(suite: suite.name, size: size, cases: results)
  }

  private func run(_ item: Case, on stage: Stage) throws -> CaseResult {
    let contenders = try item.contenders(stage)
    try check(contenders, of: item, size: stage.size)
    let isTimed = item.unit.isTime
    let allocations = try contenders.map { isTimed ? try self.allocations(of: $0) : nil }
    var samples = contenders.map { _ in [Double]() }
    var slow: Set<Int> = []
    for round in 0..<(item.isCounted ? 1 : rounds) {
      for (index, contender) in contenders.enumerated()
      where round < Self.slowRounds || !slow.contains(index) {
        let start = ContinuousClock.now
        if isTimed { try warmUp(contender, after: samples[index].last) }
        var run = Run.time(isTimed ? turnNanoseconds : 0)
        try contender.turn(&run)
        samples[index].append(run.figure)
        if ContinuousClock.now - start > Self.slowTurn { slow.insert(index) }
      }
    }
    let measurements = contenders.indices.map {
      Measurement(
        contestant: contenders[$0].name, samples: samples[$0], allocations: allocations[$0])
    }
    return CaseResult(
      name: item.name, note: item.note, unit: item.unit, size: stage.size,
      measurements: measurements, verdicts: verdicts(of: item, measurements, size: stage.size))
  }

  /// Runs a short turn to refill the caches after the turns of the other contestants. A contestant
  /// with operations longer than a whole turn does not need it.
  private func warmUp(_ contender: Contender, after figure: Double?) throws {
    if let figure, figure > turnNanoseconds { return }
    var run = Run.time(turnNanoseconds / 8)
    try contender.turn(&run)
  }

  private func allocations(of contender: Contender) throws -> Allocations? {
    guard Heap.isCounting else { return nil }
    var run = Run.count
    try contender.turn(&run)
    return run.allocations
  }

  private func check(_ contenders: [Contender], of item: Case, size: Int) throws {
    var expected: (name: String, checksum: Int)?
    for contender in contenders where contender.isComparable {
      var run = Run.check
      try contender.turn(&run)
      guard let first = expected else {
        expected = (contender.name, run.checksum)
        continue
      }
      guard first.checksum == run.checksum else {
        throw Disagreement(
          "“\(item.name)” at \(size) rows: \(first.name) and \(contender.name) give different "
            + "results")
      }
    }
  }

  private func verdicts(of item: Case, _ measurements: [Measurement], size: Int) -> [Verdict] {
    item.bars.compactMap { bar in
      guard let limit = bar.limit(at: size), let subject = measurements.first else { return nil }
      guard let name = bar.contestant else {
        return Verdict(contestant: nil, limit: limit, figure: subject.median)
      }
      guard let other = measurements.first(where: { $0.contestant == name }), other.median > 0
      else { return nil }
      return Verdict(
        contestant: name, limit: limit, allowance: bar.allowance,
        figure: max(0, subject.median - bar.allowance) / other.median)
    }
  }
}

/// The error for contestants with different results, whose figures would be meaningless.
struct Disagreement: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
