/// The lines of an input that hold more than whitespace.
struct JSONLines {
  /// One line.
  struct Line {
    /// The bytes, without the line end; all of them are in the window.
    let range: Range<Int>
    /// The number of the line, counted from 1.
    let number: Int
    /// The column that the bytes begin in: after the spaces that the line begins with.
    let column: Int
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
    while true {
      let start = position
      guard let end = lineEnd() else { return nil }
      let column = 1 + position - start
      let range = position..<end
      position = end + 1
      number += 1
      if isBlank(range) { continue }
      record += 1
      return Line(range: range, number: number, column: column, record: record - 1)
    }
  }

  /// Finds the end of the line that begins at the position, and moves that past the spaces there;
  /// nil at the end of the input.
  private mutating func lineEnd() -> Int? {
    var from = position
    while true {
      // The spaces that a line begins with are not kept until its end is found.
      while from == position, from < window.end, window[from] == Byte.space {
        position += 1
        from = position
      }
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
