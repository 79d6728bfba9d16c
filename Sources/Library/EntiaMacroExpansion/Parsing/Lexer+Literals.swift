/// Finds the ends of comments and literals. The end is after the closing delimiter. Without a
/// closing delimiter, the end is the end of the line, or the end of the source for a comment or
/// literal that may have several lines.
extension Lexer {
  // Interpolations nest strings in strings. The limit prevents an input from exhausting the stack.
  private static let deepestNesting = 64

  func isCommentStart(_ offset: Int) -> Bool {
    source.hasText("//", at: offset) || source.hasText("/*", at: offset)
  }

  private func isLineEnd(_ byte: UInt8?) -> Bool {
    byte == nil || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
  }

  func endOfComment(at start: Int) -> Int {
    var offset = start + 2
    if source.hasText("//", at: start) {
      while !isLineEnd(source[offset]) { offset += 1 }
      return offset
    }
    var depth = 1
    while offset < source.count {
      if source.hasText("*/", at: offset) {
        depth -= 1
        offset += 2
        if depth == 0 { return offset }
      } else if source.hasText("/*", at: offset) {
        depth += 1
        offset += 2
      } else {
        offset += 1
      }
    }
    return source.count
  }

  /// Returns the end of the string literal whose quotation mark is at `start`. `delimiter` is the
  /// count of `#` characters before the quotation mark.
  func endOfString(at start: Int, delimiter: Int, depth: Int = 0) -> Int {
    guard depth < Self.deepestNesting else { return source.count }
    let isMultiline = isMultilineString(at: start, delimiter: delimiter)
    let quotes = isMultiline ? 3 : 1
    var offset = start + quotes
    while let byte = source[offset] {
      if !isMultiline, isLineEnd(byte) { return offset }
      if byte == UInt8(ascii: "\""), closesString(at: offset, quotes: quotes, delimiter: delimiter)
      {
        return offset + quotes + delimiter
      }
      if byte == UInt8(ascii: "\\"),
        source.countRun(of: UInt8(ascii: "#"), at: offset + 1) >= delimiter
      {
        let escaped = offset + 1 + delimiter
        if source[escaped] == UInt8(ascii: "(") {
          offset = endOfInterpolation(at: escaped, depth: depth)
        } else {
          offset = isLineEnd(source[escaped]) ? escaped : escaped + 1
        }
      } else {
        offset += 1
      }
    }
    return source.count
  }

  private func isMultilineString(at start: Int, delimiter: Int) -> Bool {
    guard source.hasText("\"\"\"", at: start) else { return false }
    guard delimiter > 0 else { return true }
    // `#"""#` is a string of one quotation mark, not the beginning of a multiline string.
    var offset = start + 1
    while !isLineEnd(source[offset]) {
      if source[offset] == UInt8(ascii: "\""),
        closesString(at: offset, quotes: 1, delimiter: delimiter)
      {
        return false
      }
      offset += 1
    }
    return true
  }

  private func closesString(at offset: Int, quotes: Int, delimiter: Int) -> Bool {
    source.countRun(of: UInt8(ascii: "\""), at: offset) >= quotes
      && source.countRun(of: UInt8(ascii: "#"), at: offset + quotes) >= delimiter
  }

  /// Returns the end of the interpolation whose parenthesis is at `start`.
  private func endOfInterpolation(at start: Int, depth: Int) -> Int {
    var offset = start
    var parentheses = 0
    while let byte = source[offset] {
      switch byte {
      case UInt8(ascii: "("):
        parentheses += 1
        offset += 1
      case UInt8(ascii: ")"):
        parentheses -= 1
        offset += 1
        if parentheses == 0 { return offset }
      case UInt8(ascii: "\""):
        offset = endOfString(at: offset, delimiter: 0, depth: depth + 1)
      case UInt8(ascii: "#"):
        let count = source.countRun(of: byte, at: offset)
        offset += count
        if source[offset] == UInt8(ascii: "\"") {
          offset = endOfString(at: offset, delimiter: count, depth: depth + 1)
        }
      case UInt8(ascii: "/") where isCommentStart(offset):
        offset = endOfComment(at: offset)
      default: offset += 1
      }
    }
    return source.count
  }

  /// Returns the end of the regular expression whose `/` is at `start`, or `nil` if there is none.
  /// A regular expression ends on its line, has balanced parentheses, and neither begins nor ends
  /// with a space.
  func endOfRegex(at start: Int) -> Int? {
    var offset = start + 1
    guard let first = source[offset], first != UInt8(ascii: " "), first != UInt8(ascii: "\t"),
      first != UInt8(ascii: "/"), first != UInt8(ascii: "*")
    else { return nil }
    var parentheses = 0
    while let byte = source[offset], !isLineEnd(byte) {
      switch byte {
      case UInt8(ascii: "\\"): offset += 1
      case UInt8(ascii: "("): parentheses += 1
      case UInt8(ascii: ")"):
        parentheses -= 1
        if parentheses < 0 { return nil }
      case UInt8(ascii: "/"):
        let last = source[offset - 1]
        return last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") ? nil : offset + 1
      default: break
      }
      offset += 1
    }
    return nil
  }

  /// Returns the end of the regular expression whose `/` is at `start`. `delimiter` is the count of
  /// `#` characters before the `/`.
  func endOfExtendedRegex(at start: Int, delimiter: Int) -> Int {
    var offset = start + 1
    let isMultiline = isLineEnd(source[offset])
    while let byte = source[offset] {
      if !isMultiline, isLineEnd(byte) { return offset }
      if byte == UInt8(ascii: "\\"), !isLineEnd(source[offset + 1]) {
        offset += 2
      } else if byte == UInt8(ascii: "/"),
        source.countRun(of: UInt8(ascii: "#"), at: offset + 1) >= delimiter
      {
        return offset + 1 + delimiter
      } else {
        offset += 1
      }
    }
    return source.count
  }
}
