extension JSONReader {
  /// Reads and validates the string whose opening quote is at the current position.
  mutating func readString() throws(JSONError) {
    tokenStart = position
    hasEscapes = false
    position += 1
    while true {
      skipPlainASCII()
      guard position < count else { throw error(.unexpectedEnd, "the text ends inside a string") }
      let byte = base[position]
      if byte == Byte.quote {
        position += 1
        tokenEnd = position
        return
      }
      if byte == Byte.backslash {
        hasEscapes = true
        try readEscape()
      } else if byte >= 0x80 {
        try readMultibyte(byte)
      } else {
        throw error(
          .controlCharacter,
          "a string holds the control character \(describeByte(position)); "
            + "it must be escaped")
      }
    }
  }

  /// Advances to the next byte that needs a closer look: a quote, a backslash, a control character
  /// or the first byte of a multibyte sequence.
  @inline(__always)
  private mutating func skipPlainASCII() {
    let raw = UnsafeRawPointer(base)
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    // Tests eight bytes at once. `(word - x) & ~word` has the high bit of each byte that is below
    // x. To find the bytes that equal c, the same test finds the bytes of `word ^ c` that are below
    // 1. A borrow can set the high bit of a byte that does not match, but only above a byte that
    // matches. The lowest set bit is therefore correct.
    while position + 8 <= count {
      let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: position, as: UInt64.self))
      let quotes = word ^ (ones &* UInt64(Byte.quote))
      let slashes = word ^ (ones &* UInt64(Byte.backslash))
      let marks =
        ((word &- ones &* 0x20) & ~word) | ((quotes &- ones) & ~quotes)
        | ((slashes &- ones) & ~slashes) | word
      let hits = marks & highs
      if hits != 0 {
        position += hits.trailingZeroBitCount >> 3
        return
      }
      position += 8
    }
    while position < count {
      let byte = base[position]
      if byte == Byte.quote || byte == Byte.backslash || byte < 0x20 || byte >= 0x80 { return }
      position += 1
    }
  }

  private mutating func readEscape() throws(JSONError) {
    let start = position
    guard start + 1 < count else {
      position = count
      throw error(.unexpectedEnd, "the text ends inside a string")
    }
    switch base[start + 1] {
    case Byte.quote, Byte.backslash, UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      position = start + 2
    case Byte.lowerU:
      let unit = try readHex(at: start)
      if unit & 0xF800 != 0xD800 {
        position = start + 6
        return
      }
      guard unit < 0xDC00 else { throw loneSurrogate(at: start) }
      if start + 6 >= count {
        position = count
        throw error(.unexpectedEnd, "the text ends inside a string")
      }
      guard base[start + 6] == Byte.backslash else { throw loneSurrogate(at: start) }
      guard start + 7 < count else {
        position = count
        throw error(.unexpectedEnd, "the text ends inside a string")
      }
      guard base[start + 7] == Byte.lowerU else { throw loneSurrogate(at: start) }
      let second = try readHex(at: start + 6)
      guard second & 0xFC00 == 0xDC00 else { throw loneSurrogate(at: start) }
      position = start + 12
    default:
      throw error(
        .invalidEscape, "'\\' is followed by \(describeByte(start + 1)), which escapes nothing")
    }
  }

  /// Reads the four digits of the `\u` escape at an offset.
  private mutating func readHex(at start: Int) throws(JSONError) -> UInt32 {
    var unit: UInt32 = 0
    for index in start + 2..<start + 6 {
      guard index < count else {
        position = count
        throw error(.unexpectedEnd, "the text ends inside a string")
      }
      guard let digit = Byte.hexValue(base[index]) else {
        position = start
        throw error(
          .invalidEscape, "'\\u' needs four hexadecimal digits, found \(describeByte(index))")
      }
      unit = unit << 4 | digit
    }
    return unit
  }

  private mutating func loneSurrogate(at start: Int) -> JSONError {
    position = start
    return error(.loneSurrogate, "'\\u' names half of a surrogate pair, without the other half")
  }

  /// Advances past one UTF-8 sequence of two to four bytes (the table of RFC 3629).
  private mutating func readMultibyte(_ lead: UInt8) throws(JSONError) {
    let length: Int
    var lower: UInt8 = 0x80
    var upper: UInt8 = 0xBF
    switch lead {
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, lower) = (3, 0xA0)
    case 0xED: (length, upper) = (3, 0x9F)
    case 0xE1...0xEC, 0xEE...0xEF: length = 3
    case 0xF0: (length, lower) = (4, 0x90)
    case 0xF4: (length, upper) = (4, 0x8F)
    case 0xF1...0xF3: length = 4
    default: throw invalidUTF8()
    }
    for index in 1..<length {
      guard position + index < count else { throw invalidUTF8() }
      let byte = base[position + index]
      guard byte >= lower, byte <= upper else { throw invalidUTF8() }
      (lower, upper) = (0x80, 0xBF)
    }
    position += length
  }

  private func invalidUTF8() -> JSONError {
    error(.invalidUTF8, "\(describeByte(position)) begins no valid UTF-8 sequence")
  }
}
