/// The lines of a text that hold more than whitespace.
struct JSONLines {
  /// One line.
  struct Line {
    /// The bytes, without the line end.
    let range: Range<Int>
    /// The number of the line, counted from 1.
    let number: Int
    /// How many records came before, that is, how many lines that are not blank.
    let record: Int
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0
  private var number = 0
  private var record = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    // A byte order mark may begin the text, but no later line.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  /// Gives the next line that is not blank.
  mutating func next() -> Line? {
    while position < bytes.count {
      let start = position
      var isBlank = true
      while position < bytes.count, bytes[position] != Byte.newline {
        switch bytes[position] {
        case Byte.space, 0x09, 0x0D: break
        default: isBlank = false
        }
        position += 1
      }
      let range = start..<position
      position += 1
      number += 1
      if isBlank { continue }
      record += 1
      return Line(range: range, number: number, record: record - 1)
    }
    return nil
  }
}
