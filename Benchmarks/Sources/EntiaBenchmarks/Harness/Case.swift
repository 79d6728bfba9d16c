import BenchmarkReport

/// Something that is measured: a name, the contestants, the first of which is judged, and the bars.
struct Case {
  let name: String
  /// What has to be known to read the figures, in a few words.
  let note: String
  let unit: Unit
  let bars: [Bar]
  /// Whether the number of rows plays a part; a case where it does not is run once.
  let isScaled: Bool
  /// Whether one turn tells all, because it counts and does not time.
  let isCounted: Bool
  /// Sets up the contestants; what they hold lives until the case is over.
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
