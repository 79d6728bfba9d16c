/// Goes through all places in passes of bounded length, so that a pass is short and yet no part of a
/// large table is favoured; where there are few places, a pass goes through them several times.
struct Window {
  private let count: Int
  private let length: Int
  private var start = 0

  /// How often a pass goes through its places.
  let laps: Int

  /// Passes of this many of `count` places.
  init(_ length: Int, of count: Int) {
    self.count = count
    self.length = min(length, count)
    laps = max(1, length / max(1, self.length))
  }

  /// The places of the next pass, fewer in a check.
  mutating func next(_ run: Run) -> Range<Int> {
    let length = run.size(length)
    if start + length > count { start = 0 }
    defer { start += length }
    return start..<(start + length)
  }
}
