/// Runs suites: first every contestant once, to see that they agree, then the timed turns, in which
/// they alternate.
struct Runner {
  /// How many timed turns each contestant has.
  let rounds: Int
  /// How long a turn measures at least.
  let turnNanoseconds: Double
  let progress: Progress

  func run(_ suite: Suite, size: Int) throws -> SuiteResult {
    let stage = Stage(size: size)
    var results: [CaseResult] = []
    for (index, item) in suite.cases.enumerated() {
      progress.show("\(suite.name), \(size) rows: \(index + 1)/\(suite.cases.count) \(item.name)")
      results.append(try run(item, on: stage))
    }
    progress.clear()
    return SuiteResult(suite: suite.name, size: size, cases: results)
  }

  private func run(_ item: Case, on stage: Stage) throws -> CaseResult {
    let contenders = try item.contenders(stage)
    try check(contenders, of: item, size: stage.size)
    var samples = contenders.map { _ in [Double]() }
    for _ in 0..<rounds {
      for (index, contender) in contenders.enumerated() {
        // The others' turns left the caches to them.
        var warmUp = Run(nanoseconds: item.unit == .bytes ? 0 : turnNanoseconds / 8)
        if item.unit != .bytes { try contender.turn(&warmUp) }
        var run = Run(nanoseconds: turnNanoseconds)
        try contender.turn(&run)
        samples[index].append(run.figure)
      }
    }
    let measurements = zip(contenders, samples).map {
      Measurement(contestant: $0.name, samples: $1)
    }
    return CaseResult(
      name: item.name, unit: item.unit, size: stage.size, measurements: measurements,
      verdicts: verdicts(of: item, measurements, size: stage.size))
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
          item: item.name, size: size, first: first.name, second: contender.name)
      }
    }
  }

  private func verdicts(of item: Case, _ measurements: [Measurement], size: Int) -> [Verdict] {
    item.bars.compactMap { bar in
      guard let limit = bar.limits[size], let subject = measurements.first else { return nil }
      guard let name = bar.contestant else {
        return Verdict(contestant: nil, limit: limit, figure: subject.median)
      }
      guard let other = measurements.first(where: { $0.contestant == name }), other.median > 0
      else { return nil }
      return Verdict(contestant: name, limit: limit, figure: subject.median / other.median)
    }
  }
}

/// Two contestants gave different results: figures would mean nothing.
struct Disagreement: Error, CustomStringConvertible {
  let item: String
  let size: Int
  let first: String
  let second: String

  var description: String {
    "“\(item)” at \(size) rows: \(first) and \(second) give different results"
  }
}
