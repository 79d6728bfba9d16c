extension JSONReader {
  /// Reads and validates the number whose first byte is at the current position.
  mutating func readNumber(_ first: UInt8) throws(JSONError) {
    tokenStart = position
    if first == Byte.minus { position += 1 }
    if position < count, base[position] == Byte.zero {
      position += 1
      if position < count, Byte.isDigit(base[position]) {
        position = tokenStart
        throw error(.invalidNumber, "a number begins with a needless 0")
      }
    } else {
      try readDigits("after '-'")
    }
    if position < count, base[position] == Byte.point {
      position += 1
      try readDigits("after '.'")
    }
    if position < count, base[position] | 0x20 == Byte.lowerE {
      position += 1
      if position < count, base[position] == Byte.minus || base[position] == Byte.plus {
        position += 1
      }
      try readDigits("in the exponent")
    }
    tokenEnd = position
  }

  private mutating func readDigits(_ place: StaticString) throws(JSONError) {
    let start = position
    while position < count, Byte.isDigit(base[position]) { position += 1 }
    guard position == start else { return }
    guard position < count else {
      throw error(.unexpectedEnd, "the text ends inside a number")
    }
    throw error(.invalidNumber, "expected a digit \(place), found \(describeByte(position))")
  }
}
