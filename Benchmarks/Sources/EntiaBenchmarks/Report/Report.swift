/// Everything that one run of the program measured.
struct Report {
  let isOptimized: Bool
  let isSmoke: Bool
  let rounds: Int
  let suites: [SuiteResult]

  /// Whether this program was built with optimization.
  static var isBuiltWithOptimization: Bool {
    var isDebug = false
    // An assertion's condition is evaluated in builds without optimization only.
    assert(
      {
        isDebug = true
        return true
      }())
    return !isDebug
  }

  /// Every bar with its case.
  var verdicts: [(suite: String, item: CaseResult, verdict: Verdict)] {
    suites.flatMap { suite in
      suite.cases.flatMap { item in item.verdicts.map { (suite.suite, item, $0) } }
    }
  }

  var misses: Int { verdicts.count { !$0.verdict.isMet } }
}
