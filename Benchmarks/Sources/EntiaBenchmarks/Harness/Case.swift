/// Something that is measured: a name, the contestants, the first of which is judged, and the bars.
struct Case {
  let name: String
  let unit: Unit
  let bars: [Bar]
  /// Sets up the contestants; what they hold lives until the case is over.
  let contenders: @Sendable (Stage) throws -> [Contender]

  init(
    _ name: String, unit: Unit = .nanoseconds, bars: [Bar] = [],
    _ contenders: @escaping @Sendable (Stage) throws -> [Contender]
  ) {
    self.name = name
    self.unit = unit
    self.bars = bars
    self.contenders = contenders
  }

  /// What a figure counts.
  enum Unit: String {
    case nanoseconds = "ns"
    case bytes
  }
}
