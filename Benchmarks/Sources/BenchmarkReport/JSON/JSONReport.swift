/// The JSON representation of a report.
struct JSONReport: Codable {
  static let readableVersions = 1...2

  let version: Int
  let machine: String?
  let optimized: Bool
  let smoke: Bool
  let rounds: Int
  let peakBytes: Int?
  let suites: [JSONSuite]

  init(_ report: Report) {
    version = Self.readableVersions.upperBound
    machine = report.machine
    optimized = report.isOptimized
    smoke = report.isSmoke
    rounds = report.rounds
    peakBytes = report.peakBytes
    suites = report.suites.map(JSONSuite.init)
  }

  var report: Report {
    Report(
      machine: machine ?? "an unnamed machine", isOptimized: optimized, isSmoke: smoke,
      rounds: rounds, peakBytes: peakBytes ?? 0, suites: suites.map(\.result))
  }
}

/// The part that all versions have in common.
struct JSONVersion: Decodable {
  let version: Int
}

struct JSONSuite: Codable {
  let name: String
  let size: Int
  let skipped: String?
  let cases: [JSONCase]

  init(_ suite: SuiteResult) {
    name = suite.suite
    size = suite.size
    skipped = suite.skipped
    cases = suite.cases.map(JSONCase.init)
  }

  var result: SuiteResult {
    SuiteResult(
      suite: name, size: size, cases: cases.map { $0.result(size: size) }, skipped: skipped)
  }
}

struct JSONCase: Codable {
  let name: String
  let note: String?
  let unit: Unit
  let contestants: [JSONContestant]
  let bars: [JSONBar]

  init(_ item: CaseResult) {
    name = item.name
    note = item.note.isEmpty ? nil : item.note
    unit = item.unit
    contestants = item.measurements.map { JSONContestant($0, ratio: item.ratio(to: $0)) }
    bars = item.verdicts.map(JSONBar.init)
  }

  func result(size: Int) -> CaseResult {
    CaseResult(
      name: name, note: note ?? "", unit: unit, size: size,
      measurements: contestants.map(\.measurement), verdicts: bars.map(\.verdict))
  }
}

struct JSONContestant: Codable {
  let name: String
  let median: Double
  let spread: Double
  let ratio: Double?
  let allocations: Double?
  let allocatedBytes: Double?
  let samples: [Double]

  init(_ measurement: Measurement, ratio: Double?) {
    name = measurement.contestant
    median = measurement.median
    spread = measurement.spread
    self.ratio = ratio
    allocations = measurement.allocations?.count
    allocatedBytes = measurement.allocations?.bytes
    samples = measurement.samples
  }

  var measurement: Measurement {
    var counted: Allocations?
    if let allocations, let allocatedBytes {
      counted = Allocations(count: allocations, bytes: allocatedBytes)
    }
    return Measurement(contestant: name, samples: samples, allocations: counted)
  }
}

struct JSONBar: Codable {
  let of: String?
  let limit: Double
  let allowance: Double?
  let figure: Double
  let met: Bool

  init(_ verdict: Verdict) {
    of = verdict.contestant
    limit = verdict.limit
    allowance = verdict.allowance > 0 ? verdict.allowance : nil
    figure = verdict.figure
    met = verdict.isMet
  }

  var verdict: Verdict {
    Verdict(contestant: of, limit: limit, allowance: allowance ?? 0, figure: figure)
  }
}
