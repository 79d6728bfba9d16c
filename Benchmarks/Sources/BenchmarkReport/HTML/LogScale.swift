import Foundation

/// Maps values to positions on an axis so that equal factors have equal lengths.
struct LogScale {
  /// The exponents of the powers of ten at the ends.
  let low: Int
  let high: Int
  /// The positions of the ends.
  let start: Double
  let end: Double

  /// Creates a scale of whole decades around the values; returns `nil` if none is above 0.
  init?(_ values: [Double], from start: Double, to end: Double) {
    let positive = values.filter { $0 > 0 && $0.isFinite }
    guard let least = positive.min(), let greatest = positive.max() else { return nil }
    low = Int(log10(least).rounded(.down))
    high = max(Int(log10(greatest).rounded(.up)), low + 1)
    self.start = start
    self.end = end
  }

  /// Returns the position of a value, which must be above 0.
  func position(_ value: Double) -> Double {
    start + (end - start) * (log10(value) - Double(low)) / Double(high - low)
  }

  /// The values of the ticks: every power of ten, or only every second and so on if there are many.
  var ticks: [Double] {
    let step = max(1, (high - low + 5) / 6)
    return stride(from: low, through: high, by: step).map { pow(10, Double($0)) }
  }
}
