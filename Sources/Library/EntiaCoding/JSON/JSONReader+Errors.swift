extension JSONReader {
  /// Creates an error at the current position.
  @inline(never)
  func error(_ kind: JSONError.Kind, _ message: String) -> JSONError {
    error(kind, message, at: position)
  }

  /// Creates an error at an offset.
  @inline(never)
  package func error(_ kind: JSONError.Kind, _ message: String, at offset: Int) -> JSONError {
    // The line is not counted yet. If the error is only due to missing bytes, `next()` reads more
    // and drops the error. Otherwise, `next()` replaces it by an error with the line, from
    // `located`.
    if let window, !window.isFinal {
      return JSONError(kind: kind, offset: offset, line: 0, column: 0, message: message)
    }
    return located(kind, message, at: offset)
  }

  /// Creates an error with its line and column.
  func located(_ kind: JSONError.Kind, _ message: String, at offset: Int) -> JSONError {
    // Lines are counted only here, so that reading is faster. A reader throws at most once.
    var line = self.line.number
    let start = self.line.start
    var column = self.line.column
    for index in start..<max(start, min(offset, count)) {
      let byte = base[index]
      if byte == Byte.newline {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    return JSONError(kind: kind, offset: offset, line: line, column: column, message: message)
  }

  /// Creates the error for an unexpected byte at the current position.
  @inline(never)
  func unexpected(_ expected: String) -> JSONError {
    let hint = position < 2 ? otherEncoding.map { "; \($0)" } ?? "" : ""
    return error(.unexpectedByte, "expected \(expected), found \(describeByte(position))\(hint)")
  }

  /// A hint at the encoding or compression of a text that does not begin as UTF-8, or `nil` if
  /// neither is recognized.
  private var otherEncoding: String? {
    guard line.start == 0, count >= 2 else { return nil }
    switch (base[0], base[1]) {
    case (0xFF, 0xFE), (0xFE, 0xFF), (0, 1...0x7F), (1...0x7F, 0):
      return "the text is UTF-16, and JSON is UTF-8; 'iconv -f UTF-16 -t UTF-8' converts it"
    case (0x1F, 0x8B): return "this is gzip; 'gunzip' decompresses it"
    default: return nil
    }
  }

  /// Returns a description, for a message, of the byte at an offset of the text: `'x'`, or
  /// `byte 0x00` if the byte is not printable ASCII.
  func describeByte(_ offset: Int) -> String {
    guard offset < count else { return "the end of the text" }
    let byte = base[offset]
    if byte > 0x20, byte < 0x7F { return "'\(Character(UnicodeScalar(byte)))'" }
    if byte == Byte.space { return "a space" }
    let digits = String(byte, radix: 16, uppercase: true)
    return "byte 0x" + (digits.count < 2 ? "0" : "") + digits
  }

  /// Returns the word that begins at an offset of the text, cut off after 12 bytes and quoted for a
  /// message. If there is none, describes the byte.
  func describeWord(_ offset: Int) -> String {
    var word = ""
    var index = offset
    while index < count, word.utf8.count < 12 {
      let byte = base[index]
      let isLetter = byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")
      guard isLetter || Byte.isDigit(byte) else { break }
      word.unicodeScalars.append(UnicodeScalar(byte))
      index += 1
    }
    return word.isEmpty ? describeByte(offset) : "'\(word)'"
  }
}
