import BenchmarkReport

/// A case with one figure a contestant, or several.
func sampleCase(
  named name: String = "find", size: Int = 1_000, unit: Unit = .nanoseconds, note: String = "",
  verdicts: [Verdict] = [], _ samples: [(String, [Double])]
) -> CaseResult {
  CaseResult(
    name: name, note: note, unit: unit, size: size,
    measurements: samples.map { Measurement(contestant: $0.0, samples: $0.1) }, verdicts: verdicts)
}

func sampleReport(_ suites: [SuiteResult], isSmoke: Bool = false) -> Report {
  Report(
    machine: "Swift 6, a machine", isOptimized: true, isSmoke: isSmoke, rounds: 3,
    peakBytes: 3 << 20, suites: suites)
}

func sampleReport(_ cases: CaseResult...) -> Report {
  sampleReport(cases.map { SuiteResult(suite: "tables", size: $0.size, cases: [$0]) })
}
