package import EntiaCoding

/// The lines of an input that contain more than whitespace.
package struct JSONLines {
  /// One line.
  package struct Line {
    /// The range of the bytes, without the line break; all of them are in the window.
    package let range: Range<Int>
    /// The number of the line, counted from 1.
    package let number: Int
    /// The column of the first byte, after leading spaces.
    package let column: Int
    /// The number of earlier lines that are not blank, which equals the number of earlier records.
    package let record: Int
  }

  private let window: ByteWindow
  private var position = 0
  private var number = 0
  private var record = 0

  package init(_ window: ByteWindow) {
    self.window = window
    // A byte order mark is allowed at the start of the text, but not at the start of a later line.
    if window.end >= 3, window[0] == 0xEF, window[1] == 0xBB, window[2] == 0xBF { position = 3 }
  }

  /// Returns the next line that is not blank, or nil at the end.
  package mutating func next() -> Line? {
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

  /// Returns the end of the line that begins at `position`; nil at the end of the input. Advances
  /// `position` past the leading spaces of the line.
  private mutating func lineEnd() -> Int? {
    var from = position
    while true {
      // Leading spaces are skipped first, so that the window need not keep them.
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
