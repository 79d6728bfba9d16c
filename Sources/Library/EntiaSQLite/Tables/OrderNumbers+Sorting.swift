extension OrderNumbers {
  /// The bits of a number by which rows are distributed in one pass.
  private static let digitBits = 11

  /// Returns the indices of numbers in the ascending order of the numbers, or `nil` when the
  /// numbers ascend. Equal numbers stay in their order.
  ///
  /// Numbers are mostly multiples of one distance, so that the digits that they have in common are
  /// left out.
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
      // As an unsigned number that is ordered alike.
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
