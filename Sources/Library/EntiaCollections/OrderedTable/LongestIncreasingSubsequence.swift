/// Returns a longest increasing subsequence of a list of distinct numbers. If the numbers are the
/// old positions of rows, it is a largest set of rows that can stay while the others move.
/// - Complexity: O(*n* log *n*).
@usableFromInline
package func longestIncreasingSubsequence(of numbers: [Int]) -> [Int] {
  // `lasts`: for each length, the index of the least number that ends an increasing subsequence of
  // this length. `links`: for each number, the index of its predecessor in its subsequence.
  var lasts: [Int] = []
  var links = [Int](repeating: -1, count: numbers.count)
  for (index, number) in numbers.enumerated() {
    var lengths = 0..<lasts.count
    // Usually the number extends the longest subsequence.
    if let last = lasts.last, numbers[last] < number { lengths = lasts.count..<lasts.count }
    while !lengths.isEmpty {
      let middle = lengths.lowerBound + lengths.count / 2
      if numbers[lasts[middle]] < number {
        lengths = middle + 1..<lengths.upperBound
      } else {
        lengths = lengths.lowerBound..<middle
      }
    }
    let length = lengths.lowerBound
    if length > 0 { links[index] = lasts[length - 1] }
    if length == lasts.count { lasts.append(index) } else { lasts[length] = index }
  }
  var ascent: [Int] = []
  ascent.reserveCapacity(lasts.count)
  var index = lasts.last ?? -1
  while index >= 0 {
    ascent.append(numbers[index])
    index = links[index]
  }
  return ascent.reversed()
}
