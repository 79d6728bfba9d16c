import BenchmarkReport

/// A benchmark case: a name, the contestants, of which the first is the subject, and the bars.
struct Case {
  let name: String
  /// A short note that is needed to read the figures.
  let note: String
  let unit: Unit
  let bars: [Bar]
  /// Whether the number of rows matters. A case for which it does not is run once.
  let isScaled: Bool
  /// Whether one turn suffices, because the case counts rather than measures time.
  let isCounted: Bool
  /// Creates the contestants. Their captured values are kept until the case ends.
  let contenders: @Sendable (Stage) throws -> [Contender]

  init(
    _ name: String, note: String = "", unit: Unit = .nanoseconds, bars: [Bar] = [],
    isScaled: Bool = true, isCounted: Bool = false,
    _ contenders: @escaping @Sendable (Stage) throws -> [Contender]
  ) {
    self.name = name
    self.note = note
    self.unit = unit
    self.bars = bars
    self.isScaled = isScaled
    self.isCounted = isCounted
    self.contenders = contenders
  }
}
