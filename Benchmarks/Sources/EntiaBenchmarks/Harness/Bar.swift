/// How good a case's figure must be: at most so many times a contestant's, or at most so much.
struct Bar {
  /// The contestant of the same case whose figure is the measure; `nil` for an absolute bar.
  let contestant: String?
  /// The bar by the number of rows; other sizes have none.
  let limits: [Int: Double]

  private init(contestant: String?, _ limits: (Double, Double, Double)) {
    self.contestant = contestant
    self.limits = [1_000: limits.0, 32_000: limits.1, 1_000_000: limits.2]
  }

  /// At most these multiples of a contestant's figure, at 1k, 32k and 1M rows.
  static func of(_ contestant: String, _ limits: (Double, Double, Double)) -> Bar {
    Bar(contestant: contestant, limits)
  }

  /// At most this, at any of the three sizes.
  static func absolute(_ limit: Double) -> Bar { Bar(contestant: nil, (limit, limit, limit)) }
}
