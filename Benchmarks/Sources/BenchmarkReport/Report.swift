/// All results of one run of the program.
package struct Report: Equatable, Sendable {
  /// The system, the processor architecture and the compiler, in one line.
  package let machine: String
  package let isOptimized: Bool
  package let isSmoke: Bool
  /// The number of timed turns of each contestant.
  package let rounds: Int
  /// The peak memory of the program in bytes; 0 if it is unknown.
  package let peakBytes: Int
  package let suites: [SuiteResult]

  package init(
    machine: String, isOptimized: Bool, isSmoke: Bool, rounds: Int, peakBytes: Int = 0,
    suites: [SuiteResult]
  ) {
    self.machine = machine
    self.isOptimized = isOptimized
    self.isSmoke = isSmoke
    self.rounds = rounds
    self.peakBytes = peakBytes
    self.suites = suites
  }

  /// Every bar with its case.
  package var verdicts: [(suite: String, item: CaseResult, verdict: Verdict)] {
    suites.flatMap { suite in
      suite.cases.flatMap { item in item.verdicts.map { (suite.suite, item, $0) } }
    }
  }

  /// The number of missed bars.
  package var misses: Int { verdicts.count { !$0.verdict.isMet } }

  /// The measured sizes, in ascending order.
  package var sizes: [Int] {
    Set(suites.filter { $0.skipped == nil }.map(\.size)).sorted()
  }

  /// Returns the result of a case at a size.
  package func result(_ suite: String, _ name: String, size: Int) -> CaseResult? {
    for candidate in suites where candidate.suite == suite && candidate.size == size {
      if let item = candidate.cases.first(where: { $0.name == name }) { return item }
    }
    return nil
  }
}
