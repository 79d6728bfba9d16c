/// What was measured of one contestant in one case.
struct Measurement {
  let contestant: String
  /// The figures of the runs, in the order of the runs.
  let samples: [Double]

  /// The middle figure.
  var median: Double {
    let sorted = samples.sorted()
    let middle = sorted.count / 2
    if sorted.isEmpty { return 0 }
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  /// How far the runs lie apart: the greatest less the least, as a part of the median.
  var spread: Double {
    guard let low = samples.min(), let high = samples.max(), median > 0 else { return 0 }
    return (high - low) / median
  }
}

/// A case's figures at one size.
struct CaseResult {
  let name: String
  let unit: Case.Unit
  let size: Int
  /// Of each contestant, the judged one first.
  let measurements: [Measurement]
  let verdicts: [Verdict]

  var subject: Measurement? { measurements.first }

  /// How the judged contestant's figure compares with another's; `nil` where that is 0.
  func ratio(to other: Measurement) -> Double? {
    guard let subject, other.median > 0 else { return nil }
    return subject.median / other.median
  }
}

/// A bar beside the figure it is for.
struct Verdict {
  /// The contestant that is the measure; `nil` when the bar is absolute.
  let contestant: String?
  let limit: Double
  let figure: Double

  var isMet: Bool { figure <= limit }
}

/// What was measured in one suite at one size.
struct SuiteResult {
  let suite: String
  let size: Int
  let cases: [CaseResult]
}
