import Foundation

/// Places values along an axis so that equal factors are equally long.
struct LogScale {
  /// The powers of ten at the ends.
  let low: Int
  let high: Int
  /// Where the ends lie.
  let start: Double
  let end: Double

  /// A scale of whole decades around the values; `nil` when none is above 0.
  init?(_ values: [Double], from start: Double, to end: Double) {
    let positive = values.filter { $0 > 0 && $0.isFinite }
    guard let least = positive.min(), let greatest = positive.max() else { return nil }
    low = Int(log10(least).rounded(.down))
    high = max(Int(log10(greatest).rounded(.up)), low + 1)
    self.start = start
    self.end = end
  }

  /// Where a value lies; it must be above 0.
  func position(_ value: Double) -> Double {
    start + (end - start) * (log10(value) - Double(low)) / Double(high - low)
  }

  /// A value for each tick: every power of ten, or every second and so on where there are many.
  var ticks: [Double] {
    let step = max(1, (high - low + 5) / 6)
    return stride(from: low, through: high, by: step).map { pow(10, Double($0)) }
  }
}
