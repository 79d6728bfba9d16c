/// A term of postings, such as a word, by its UTF-8 bytes. Terms are in the order of their bytes.
struct PostingTerm: Hashable, Sendable {
  /// The first eight bytes as a number, padded with zeros.
  let head: UInt64
  /// The bytes after the first eight.
  let rest: [UInt8]
  /// The number of bytes.
  let count: Int

  init(_ text: String) {
    // Zero is the padding. No word has it unless a tokenizer of the user emits it.
    head = Self.head(of: text).head
    count = text.utf8.count
    rest = count > 8 ? text.utf8.dropFirst(8).map { max(1, $0) } : []
  }

  /// Returns the first eight bytes of a term as a number, and whether it has no others.
  static func head(of text: String) -> (head: UInt64, isWhole: Bool) {
    var text = text
    return text.withUTF8 { bytes in
      var head: UInt64 = 0
      for index in 0..<min(8, bytes.count) {
        head |= UInt64(max(1, bytes[index])) << UInt64(56 - 8 * index)
      }
      return (head, bytes.count <= 8)
    }
  }

  /// Whether a term is before another in the order of their bytes.
  static func precedes(_ a: Self, _ b: Self) -> Bool {
    a.head != b.head ? a.head < b.head : a.rest.lexicographicallyPrecedes(b.rest)
  }
}

/// Reads and writes integers in as few bytes as they need: seven bits in each byte, the lowest
/// first.
enum VariableInteger {
  @inline(__always)
  static func read(_ bytes: UnsafePointer<UInt8>, _ offset: inout Int) -> Int {
    let first = bytes[offset]
    offset &+= 1
    if first < 0x80 { return Int(truncatingIfNeeded: first) }
    return readRest(Int(truncatingIfNeeded: first & 0x7F), bytes, &offset)
  }

  private static func readRest(
    _ first: Int, _ bytes: UnsafePointer<UInt8>, _ offset: inout Int
  ) -> Int {
    var value = first
    var shift = 7
    while true {
      let byte = bytes[offset]
      offset &+= 1
      value |= Int(truncatingIfNeeded: byte & 0x7F) &<< shift
      if byte < 0x80 { return value }
      shift &+= 7
    }
  }

  @inline(__always)
  static func write(_ value: Int, to bytes: inout [UInt8]) {
    var rest = UInt(bitPattern: value)
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }
}
