/// Draws ranks by Zipf's law: the second is half as frequent as the first, the third a third, and
/// so on.
struct Zipf {
  private let cumulated: [Double]

  init(count: Int) {
    var sum = 0.0
    cumulated = (1...count).map { rank in
      sum += 1 / Double(rank)
      return sum
    }
  }

  /// Returns a rank from 0.
  func draw(using generator: inout SplitMix64) -> Int {
    let wanted = Double.random(in: 0..<cumulated[cumulated.count - 1], using: &generator)
    var low = 0
    var high = cumulated.count - 1
    while low < high {
      let middle = (low + high) / 2
      if cumulated[middle] > wanted { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
