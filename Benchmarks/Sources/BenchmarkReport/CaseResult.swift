/// The figures of a case at one size.
package struct CaseResult: Equatable, Sendable {
  package let name: String
  /// A short note that is needed to read the figures; empty if the name suffices.
  package let note: String
  package let unit: Unit
  package let size: Int
  /// The measurements of all contestants. The first one is the subject.
  package let measurements: [Measurement]
  package let verdicts: [Verdict]

  package init(
    name: String, note: String = "", unit: Unit, size: Int, measurements: [Measurement],
    verdicts: [Verdict] = []
  ) {
    self.name = name
    self.note = note
    self.unit = unit
    self.size = size
    self.measurements = measurements
    self.verdicts = verdicts
  }

  /// The contestant under test.
  package var subject: Measurement? { measurements.first }

  /// Returns the subject's figure as a multiple of another contestant's; `nil` if that is 0.
  package func ratio(to other: Measurement) -> Double? {
    guard let subject, other.median > 0 else { return nil }
    return subject.median / other.median
  }

  package func measurement(of contestant: String) -> Measurement? {
    measurements.first { $0.contestant == contestant }
  }
}
