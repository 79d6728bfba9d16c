import Foundation

extension Report {
  /// The figures as JSON, members sorted; the form is described in the README beside the package.
  /// - Throws: what the encoder throws.
  func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    var data = try encoder.encode(JSONReport(self))
    data.append(UInt8(ascii: "\n"))
    return data
  }
}

private struct JSONReport: Encodable {
  let version = 1
  let optimized: Bool
  let smoke: Bool
  let rounds: Int
  let suites: [JSONSuite]

  init(_ report: Report) {
    optimized = report.isOptimized
    smoke = report.isSmoke
    rounds = report.rounds
    suites = report.suites.map(JSONSuite.init)
  }
}

private struct JSONSuite: Encodable {
  let name: String
  let size: Int
  let cases: [JSONCase]

  init(_ suite: SuiteResult) {
    name = suite.suite
    size = suite.size
    cases = suite.cases.map(JSONCase.init)
  }
}

private struct JSONCase: Encodable {
  let name: String
  let unit: String
  let contestants: [JSONContestant]
  let bars: [JSONBar]

  init(_ item: CaseResult) {
    name = item.name
    unit = item.unit.rawValue
    contestants = item.measurements.map { measurement in
      JSONContestant(
        name: measurement.contestant, median: measurement.median, spread: measurement.spread,
        ratio: item.ratio(to: measurement), samples: measurement.samples)
    }
    bars = item.verdicts.map {
      JSONBar(of: $0.contestant, limit: $0.limit, figure: $0.figure, met: $0.isMet)
    }
  }
}

private struct JSONContestant: Encodable {
  let name: String
  let median: Double
  let spread: Double
  let ratio: Double?
  let samples: [Double]
}

private struct JSONBar: Encodable {
  let of: String?
  let limit: Double
  let figure: Double
  let met: Bool
}
