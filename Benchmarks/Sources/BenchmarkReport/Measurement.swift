/// The measurements of one contestant in one case.
package struct Measurement: Equatable, Sendable {
  package let contestant: String
  /// The figures of the runs, in the order of the runs.
  package let samples: [Double]
  /// The allocations of one operation; `nil` if they were not counted.
  package let allocations: Allocations?

  package init(contestant: String, samples: [Double], allocations: Allocations? = nil) {
    self.contestant = contestant
    self.samples = samples
    self.allocations = allocations
  }

  /// The median of the figures.
  package var median: Double {
    let sorted = samples.sorted()
    let middle = sorted.count / 2
    if sorted.isEmpty { return 0 }
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  /// The spread of the runs: the greatest figure less the least, divided by the median.
  package var spread: Double {
    guard let low = samples.min(), let high = samples.max(), median > 0 else { return 0 }
    return (high - low) / median
  }

  /// Whether the ranges of the two measurements do not overlap.
  package func isApart(from other: Measurement) -> Bool {
    guard let low = samples.min(), let high = samples.max(), let otherLow = other.samples.min(),
      let otherHigh = other.samples.max()
    else { return false }
    return high < otherLow || otherHigh < low
  }
}

/// The allocations of one operation.
package struct Allocations: Equatable, Sendable {
  /// The number of allocated blocks.
  package let count: Double
  package let bytes: Double

  package init(count: Double, bytes: Double) {
    self.count = count
    self.bytes = bytes
  }
}
