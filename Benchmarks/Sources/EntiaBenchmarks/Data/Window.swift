/// Visits all positions in passes of bounded length, so that a pass is short and no part of a large
/// table is favored. If there are few positions, a pass visits them several times.
struct Window {
  private let count: Int
  private let length: Int
  private var start = 0

  /// The number of times that a pass visits its positions.
  let laps: Int

  /// Creates passes over this number of `count` positions.
  init(_ length: Int, of count: Int) {
    self.count = count
    self.length = min(length, count)
    laps = max(1, length / max(1, self.length))
  }

  /// Returns the positions of the next pass; fewer in a check.
  mutating func next(_ run: Run) -> Range<Int> {
    let length = run.size(length)
    if start + length > count { start = 0 }
    defer { start += length }
    return start..<(start + length)
  }
}
