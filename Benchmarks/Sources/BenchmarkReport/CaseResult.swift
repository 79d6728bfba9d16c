/// A case's figures at one size.
package struct CaseResult: Equatable, Sendable {
  package let name: String
  /// What has to be known to read the figures, in a few words; empty when the name says it all.
  package let note: String
  package let unit: Unit
  package let size: Int
  /// Of each contestant, the judged one first.
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

  /// The contestant that is judged.
  package var subject: Measurement? { measurements.first }

  /// How the judged contestant's figure compares with another's; `nil` where that is 0.
  package func ratio(to other: Measurement) -> Double? {
    guard let subject, other.median > 0 else { return nil }
    return subject.median / other.median
  }

  package func measurement(of contestant: String) -> Measurement? {
    measurements.first { $0.contestant == contestant }
  }
}
