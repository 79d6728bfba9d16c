import EntiaCoding

/// Writes comma-separated values as in RFC 4180: lines end with CR LF, and fields with a comma, a
/// quote or a line break are quoted.
struct CSVWriter {
  private(set) var bytes: [UInt8] = []

  /// Writes a line of fields. Nil is a missing value, which differs from an empty text.
  mutating func write(_ fields: [String?]) {
    for (index, field) in fields.enumerated() {
      if index > 0 { bytes.append(Byte.comma) }
      guard let field else {
        // A missing value is not quoted; an empty text is.
        continue
      }
      write(field)
    }
    bytes.append(Byte.carriageReturn)
    bytes.append(Byte.newline)
  }

  private mutating func write(_ field: String) {
    let needsQuotes =
      field.isEmpty
      || field.utf8.contains {
        $0 == Byte.comma || $0 == Byte.quote || $0 == Byte.newline || $0 == Byte.carriageReturn
      }
    guard needsQuotes else { return bytes.append(contentsOf: field.utf8) }
    bytes.append(Byte.quote)
    for byte in field.utf8 {
      if byte == Byte.quote { bytes.append(Byte.quote) }
      bytes.append(byte)
    }
    bytes.append(Byte.quote)
  }

  /// Passes the bytes written since the last call to the closure, and removes them if it does not
  /// throw.
  mutating func flush<Failure: Error>(
    to pieces: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    try pieces(bytes)
    bytes.removeAll(keepingCapacity: true)
  }
}
