/// How good a case's figure must be: at most so many times a contestant's, or at most so much.
struct Bar {
  /// The contestant of the same case whose figure is the measure; `nil` for an absolute bar.
  let contestant: String?
  /// What is granted beside the multiple, in the case's unit.
  let allowance: Double
  private let limits: Limits

  private enum Limits {
    case everywhere(Double)
    case bySize([Int: Double])
  }

  /// At most these multiples of a contestant's figure, at 1k, 32k and 1M rows; other sizes have no bar.
  static func of(_ contestant: String, _ limits: (Double, Double, Double)) -> Bar {
    Bar(
      contestant: contestant, allowance: 0,
      limits: .bySize([1_000: limits.0, 32_000: limits.1, 1_000_000: limits.2]))
  }

  /// At most this multiple of a contestant's figure and so much more, at any size.
  static func of(_ contestant: String, _ limit: Double, plus allowance: Double = 0) -> Bar {
    Bar(contestant: contestant, allowance: allowance, limits: .everywhere(limit))
  }

  /// At most this multiple of a contestant's figure at 1M rows; other sizes have no bar.
  static func atMillion(of contestant: String, _ limit: Double) -> Bar {
    Bar(contestant: contestant, allowance: 0, limits: .bySize([1_000_000: limit]))
  }

  /// At most this, at any size.
  static func absolute(_ limit: Double) -> Bar {
    Bar(contestant: nil, allowance: 0, limits: .everywhere(limit))
  }

  /// The bar at a size; `nil` where there is none.
  func limit(at size: Int) -> Double? {
    switch limits {
    case .everywhere(let limit): limit
    case .bySize(let limits): limits[size]
    }
  }
}
