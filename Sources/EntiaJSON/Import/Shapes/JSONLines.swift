/// The lines of an input that hold more than whitespace.
struct JSONLines {
  /// One line.
  struct Line {
    /// The bytes, without the line end; all of them are in the window.
    let range: Range<Int>
    /// The number of the line, counted from 1.
    let number: Int
    /// How many records came before, that is, how many lines that are not blank.
    let record: Int
  }

  private let window: ByteWindow
  private var position = 0
  private var number = 0
  private var record = 0

  init(_ window: ByteWindow) {
    self.window = window
    // A byte order mark may begin the text, but no later line.
    if window.end >= 3, window[0] == 0xEF, window[1] == 0xBB, window[2] == 0xBF { position = 3 }
  }

  /// Gives the next line that is not blank.
  mutating func next() -> Line? {
    while let end = lineEnd() {
      let range = position..<end
      position = end + 1
      number += 1
      if isBlank(range) { continue }
      record += 1
      return Line(range: range, number: number, record: record - 1)
    }
    return nil
  }

  /// Finds the end of the line that begins at the position; nil at the end of the input.
  private func lineEnd() -> Int? {
    var from = position
    while true {
      if from < window.end {
        let rest = UnsafeBufferPointer(start: window.base + from, count: window.end - from)
        if let newline = ByteRange.firstIndex(of: Byte.newline, in: rest) { return from + newline }
      }
      from = max(from, window.end)
      guard !window.isFinal else { return position < window.end ? window.end : nil }
      window.extend(keepingFrom: position)
    }
  }

  private func isBlank(_ range: Range<Int>) -> Bool {
    for offset in range {
      switch window[offset] {
      case Byte.space, 0x09, 0x0D: continue
      default: return false
      }
    }
    return true
  }
}
