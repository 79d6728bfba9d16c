/// Goes through all places in passes of bounded length, so that a pass is short and yet no part of a
/// large table is favoured.
struct Window {
  private let count: Int
  private let length: Int
  private var start = 0

  /// Passes of this many of `count` places.
  init(_ length: Int, of count: Int) {
    self.count = count
    self.length = min(length, count)
  }

  /// The places of the next pass, shorter in a check.
  mutating func next(_ run: Run) -> Range<Int> {
    let length = run.size(length)
    if start + length > count { start = 0 }
    defer { start += length }
    return start..<(start + length)
  }
}
