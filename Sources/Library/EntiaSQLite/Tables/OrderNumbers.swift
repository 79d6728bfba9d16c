/// The numbers that store the order of rows: each row has one, ascending in the order, with room
/// between neighbors.
enum OrderNumbers {
  /// The distance between rows that are appended.
  static let gap: Int64 = 1 << 24

  /// Returns numbers for new rows between two others, or `nil` when there is no room.
  /// - Parameters:
  ///   - count: The number of the new rows.
  ///   - previous: The number of the row before, or `nil` at the beginning.
  ///   - next: The number of the row after, or `nil` at the end.
  static func between(_ previous: Int64?, _ next: Int64?, count: Int) -> StrideNumbers? {
    let count = Int64(count)
    switch (previous, next) {
    case (nil, nil): return StrideNumbers(first: 0, step: gap, count: count)
    case (let previous?, nil):
      let (first, isOut) = previous.addingReportingOverflow(gap)
      return isOut ? nil : StrideNumbers(first: first, step: gap, count: count)
    case (nil, let next?):
      let (length, isLong) = gap.multipliedReportingOverflow(by: count)
      let (first, isOut) = next.subtractingReportingOverflow(length)
      return isLong || isOut ? nil : StrideNumbers(first: first, step: gap, count: count)
    case (let previous?, let next?):
      let (room, isWide) = next.subtractingReportingOverflow(previous)
      let step = isWide ? gap : min(gap, room / (count + 1))
      if step < 1 { return nil }
      return StrideNumbers(first: previous + step, step: step, count: count)
    }
  }

  /// The least distance between rows when some are numbered anew. It grows with their number, so
  /// that the more rows were numbered, the later it is necessary again.
  static func leastStep(forCount count: Int) -> Int64 {
    var step = 16.0
    var rest = count
    while rest > 1 {
      step *= 1.5
      rest /= 2
    }
    return min(gap, Int64(step))
  }
}

/// Ascending numbers at equal distances.
struct StrideNumbers: Equatable {
  let first: Int64
  let step: Int64

  /// Creates numbers, or `nil` when the last one is out of range.
  init?(first: Int64, step: Int64, count: Int64) {
    let (length, isLong) = step.multipliedReportingOverflow(by: count)
    if isLong || first.addingReportingOverflow(length).overflow { return nil }
    self.first = first
    self.step = step
  }

  subscript(index: Int) -> Int64 { first + step * Int64(index) }
}
