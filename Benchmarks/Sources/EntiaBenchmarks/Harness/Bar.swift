/// A bar for a case's figure: at most a multiple of a contestant's figure, or at most an absolute
/// value.
struct Bar {
  /// The contestant of the same case to compare with; `nil` for an absolute bar.
  let contestant: String?
  /// The allowance in addition to the multiple, in the case's unit.
  let allowance: Double
  private let limits: Limits

  private enum Limits {
    case everywhere(Double)
    case bySize([Int: Double])
  }

  /// Returns a bar at multiples of a contestant's figure, at 1k, 32k and 1M rows. Other sizes have
  /// no bar.
  static func of(_ contestant: String, _ limits: (Double, Double, Double)) -> Bar {
    Bar(
      contestant: contestant, allowance: 0,
      limits: .bySize([1_000: limits.0, 32_000: limits.1, 1_000_000: limits.2]))
  }

  /// Returns a bar at multiples of a contestant's figure, at 32k and 1M rows. Other sizes have no
  /// bar.
  static func of(_ contestant: String, _ limits: (Double, Double)) -> Bar {
    Bar(
      contestant: contestant, allowance: 0,
      limits: .bySize([32_000: limits.0, 1_000_000: limits.1]))
  }

  /// Returns a bar at a multiple of a contestant's figure plus an allowance, at any size.
  static func of(_ contestant: String, _ limit: Double, plus allowance: Double = 0) -> Bar {
    Bar(contestant: contestant, allowance: allowance, limits: .everywhere(limit))
  }

  /// Returns a bar at a multiple of a contestant's figure at 1M rows. Other sizes have no bar.
  static func atMillion(of contestant: String, _ limit: Double) -> Bar {
    Bar(contestant: contestant, allowance: 0, limits: .bySize([1_000_000: limit]))
  }

  /// Returns a bar at an absolute value, at any size.
  static func absolute(_ limit: Double) -> Bar {
    Bar(contestant: nil, allowance: 0, limits: .everywhere(limit))
  }

  /// Returns a bar at an absolute value at 1M rows. Other sizes have no bar.
  static func absoluteAtMillion(_ limit: Double) -> Bar {
    Bar(contestant: nil, allowance: 0, limits: .bySize([1_000_000: limit]))
  }

  /// Returns the limit at a size; `nil` if there is none.
  func limit(at size: Int) -> Double? {
    switch limits {
    case .everywhere(let limit): limit
    case .bySize(let limits): limits[size]
    }
  }
}
