/// The numbers that store the order of rows. Each row has a number. The numbers ascend in the order
/// of the rows, with room between neighbors.
enum OrderNumbers {
  /// The distance between the numbers of rows that are appended.
  static let gap: Int64 = 1 << 24

  /// Returns order numbers for new rows between two rows, or `nil` when there is no room.
  /// - Parameters:
  ///   - previous: The order number of the row before the new rows, or `nil` at the beginning.
  ///   - next: The order number of the row after the new rows, or `nil` at the end.
  ///   - count: How many rows are new.
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

  /// Returns the number of a row. A row that another program inserted without a number is sorted
  /// last.
  @inline(__always)
  static func number(of row: ChunkRow, at column: Int) -> Int64 {
    row.kind(at: column) == .integer ? row.integer(at: column) : .max
  }

  /// Returns the least distance between the order numbers of `count` rows that are numbered anew.
  /// The distance grows with `count`. A costlier renumbering thus leaves room for more insertions.
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

extension OrderNumbers {
  /// The number of bits by which one pass distributes the indices.
  private static let digitBits = 11

  /// Returns the indices of numbers in the ascending order of the numbers, or `nil` if the numbers
  /// already ascend. Equal numbers stay in their order.
  ///
  /// Most numbers are multiples of one distance. The low bits that all numbers have in common are
  /// skipped.
  /// - Complexity: O(*n*), with a pass for each group of digits in which the numbers differ.
  static func ascendingIndices(of numbers: [Int64]) -> [Int]? {
    guard let first = numbers.first else { return nil }
    var last = first
    var isAscending = true
    var differing: UInt64 = 0
    for number in numbers {
      if number < last { isAscending = false }
      last = number
      differing |= UInt64(bitPattern: number ^ first)
    }
    if isAscending { return nil }
    var order = Array(numbers.indices)
    var sorted = order
    var shift = differing.trailingZeroBitCount
    let bits = UInt64.bitWidth - differing.leadingZeroBitCount
    var ends = [Int](repeating: 0, count: 1 << digitBits)
    while shift < bits {
      distribute(order, by: numbers, shift: shift, into: &sorted, &ends)
      swap(&order, &sorted)
      shift += digitBits
    }
    return order
  }

  /// Distributes indices by one group of digits of their numbers.
  private static func distribute(
    _ order: [Int], by numbers: [Int64], shift: Int, into sorted: inout [Int], _ ends: inout [Int]
  ) {
    func digits(_ number: Int64) -> Int {
      // With the sign bit flipped, the unsigned numbers have the order of the signed ones.
      let ordered = UInt64(bitPattern: number) ^ (1 << 63)
      return Int(truncatingIfNeeded: (ordered >> UInt64(shift)) & (1 << UInt64(digitBits) - 1))
    }
    for index in ends.indices { ends[index] = 0 }
    for number in numbers { ends[digits(number)] += 1 }
    var start = 0
    for index in ends.indices {
      let count = ends[index]
      ends[index] = start
      start += count
    }
    for index in order {
      let digits = digits(numbers[index])
      sorted[ends[digits]] = index
      ends[digits] += 1
    }
  }
}
