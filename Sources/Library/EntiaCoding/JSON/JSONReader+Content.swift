extension JSONReader {
  /// Returns the content of the last string or name, with escapes resolved.
  ///
  /// - Complexity: O(length of the string).
  public func string() -> String {
    // Escapes are resolved in a separate function, so that `string()` is short enough to be
    // inlined. A call of `string()` that is not inlined would copy the reader.
    hasEscapes ? stringResolvingEscapes() : String(decoding: rawString, as: UTF8.self)
  }

  private func stringResolvingEscapes() -> String {
    var content: [UInt8] = []
    appendContent(to: &content)
    return String(decoding: content, as: UTF8.self)
  }

  /// Whether ``JSONWriter`` would write the last string as it is. The string must have no escapes
  /// except `\"`, `\\`, `\b`, `\f`, `\n`, `\r` and `\t`.
  ///
  /// The result is `false` for every string with a `\u` escape, even if the writer would write that
  /// escape, too.
  package var isCanonicalString: Bool {
    if !hasEscapes { return true }
    var rest = rawString[...]
    while let index = ByteRange.firstIndex(
      of: Byte.backslash, in: UnsafeBufferPointer(rebasing: rest))
    {
      let escape = rest.startIndex + index + 1
      if rest[escape] == Byte.lowerU || rest[escape] == UInt8(ascii: "/") { return false }
      rest = rest[(escape + 1)...]
    }
    return true
  }

  /// Returns the last number, with every digit.
  ///
  /// - Complexity: O(length of the number).
  public func number() -> JSONNumber {
    JSONNumber(checked: String(decoding: tokenBytes, as: UTF8.self))
  }

  /// The bytes of the last token, including quotes.
  @inlinable
  package var tokenBytes: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: base + tokenStart, count: tokenEnd - tokenStart)
  }

  /// Returns the bytes of a range, all of which must be in memory.
  @inlinable
  package func bytes(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: base + range.lowerBound, count: range.count)
  }

  /// The bytes between the quotes of the last string, escapes unresolved.
  @inlinable
  package var rawString: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: base + tokenStart + 1, count: tokenEnd - tokenStart - 2)
  }

  /// Appends the content of the last string, with escapes resolved.
  package func appendContent(to content: inout [UInt8]) {
    guard hasEscapes else {
      content.append(contentsOf: rawString)
      return
    }
    var index = tokenStart + 1
    let end = tokenEnd - 1
    while index < end {
      let rest = bytes(index..<end)
      let plain = ByteRange.firstIndex(of: Byte.backslash, in: rest) ?? rest.count
      content.append(contentsOf: UnsafeBufferPointer(rebasing: rest[..<plain]))
      index += plain
      if index == end { return }
      let escape = base[index + 1]
      index += 2
      switch escape {
      case UInt8(ascii: "b"): content.append(0x08)
      case UInt8(ascii: "f"): content.append(0x0C)
      case UInt8(ascii: "n"): content.append(0x0A)
      case UInt8(ascii: "r"): content.append(0x0D)
      case UInt8(ascii: "t"): content.append(0x09)
      case Byte.lowerU:
        var scalar = hex(at: index)
        index += 4
        if scalar & 0xFC00 == 0xD800 {
          scalar = 0x10000 + ((scalar & 0x3FF) << 10 | hex(at: index + 2) & 0x3FF)
          index += 6
        }
        Self.append(scalar: scalar, to: &content)
      default: content.append(escape)
      }
    }
  }

  /// Returns the value of four hexadecimal digits, which were validated when the string was read.
  private func hex(at index: Int) -> UInt32 {
    var unit: UInt32 = 0
    for offset in 0..<4 { unit = unit << 4 | (Byte.hexValue(base[index + offset]) ?? 0) }
    return unit
  }

  private static func append(scalar: UInt32, to content: inout [UInt8]) {
    func tail(_ shift: UInt32) -> UInt8 { UInt8(0x80 | (scalar >> shift) & 0x3F) }
    switch scalar {
    case 0..<0x80:
      content.append(UInt8(scalar))
    case 0x80..<0x800:
      content.append(UInt8(0xC0 | scalar >> 6))
      content.append(tail(0))
    case 0x800..<0x10000:
      content.append(UInt8(0xE0 | scalar >> 12))
      content.append(tail(6))
      content.append(tail(0))
    default:
      content.append(UInt8(0xF0 | (scalar >> 18) & 0x07))
      content.append(tail(12))
      content.append(tail(6))
      content.append(tail(0))
    }
  }
}

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
