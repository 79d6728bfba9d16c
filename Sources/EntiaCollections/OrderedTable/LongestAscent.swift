/// Returns a longest ascending part of a list of different numbers: of rows given by where they were,
/// the most that can stay while the others move.
/// - Complexity: O(*n* log *n*).
@usableFromInline
package func longestAscent(of numbers: [Int]) -> [Int] {
  // For each length the index of the least number that such an ascent can end with, and for each
  // number the index of the one before it in its ascent.
  var lasts: [Int] = []
  var links = [Int](repeating: -1, count: numbers.count)
  for (index, number) in numbers.enumerated() {
    var lengths = 0..<lasts.count
    // Ascents grow at the end mostly.
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
