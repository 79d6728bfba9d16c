import EntiaCoding

/// Reads comma-separated values (RFC 4180) record by record, and stores only the current one.
///
/// Lines may end with LF or CR LF. Empty lines are skipped. If no separator is given, it is
/// recognized in the first line, outside quotes: a comma if there is one, otherwise a semicolon, a
/// tab or a vertical bar, in this order of precedence.
struct CSVReader {
  /// One field of a record.
  struct Field: Equatable {
    var bytes: [UInt8] = []
    /// Whether the field is quoted, so that it is a text even if it is empty.
    var isQuoted = false

    var isEmpty: Bool { bytes.isEmpty && !isQuoted }
    var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  /// An error in the CSV text.
  struct Failure: Error, Equatable {
    let message: String
    /// The line, counted from 1.
    let line: Int
  }

  private let window: ByteWindow
  private var position = 0
  /// The line of the next byte, counted from 1.
  private(set) var line = 1
  /// The first line of the record that was read last.
  private(set) var recordLine = 1

  /// The byte between fields.
  private(set) var separator = Byte.comma

  /// Creates a reader at the beginning of a text.
  ///
  /// - Parameters:
  ///   - window: The text.
  ///   - separator: The byte between fields; nil to recognize it.
  init(_ window: ByteWindow, separator: UInt8? = nil) {
    self.window = window
    if window.end >= 3, window[0] == 0xEF, window[1] == 0xBB, window[2] == 0xBF { position = 3 }
    self.separator = separator ?? recognizedSeparator()
  }

  /// The bytes that are recognized as separators.
  static let separators = [Byte.comma, UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: "|")]

  private func recognizedSeparator() -> UInt8 {
    var index = position
    var isQuoted = false
    var found: Set<UInt8> = []
    while true {
      if index >= window.end { window.extend(keepingFrom: position) }
      guard index < window.end else { break }
      let byte = window[index]
      index += 1
      if byte == Byte.quote { isQuoted.toggle() }
      if isQuoted { continue }
      if byte == Byte.newline { break }
      if byte == Byte.comma { return byte }
      if Self.separators.contains(byte) { found.insert(byte) }
    }
    return Self.separators.first(where: found.contains) ?? Byte.comma
  }

  /// Returns the name of a separator in messages.
  static func name(of separator: UInt8) -> String {
    switch separator {
    case Byte.comma: "a comma"
    case UInt8(ascii: ";"): "a semicolon"
    case UInt8(ascii: "\t"): "a tab"
    default: "'\(Character(UnicodeScalar(separator)))'"
    }
  }

  /// Reads the next record.
  ///
  /// - Parameter fields: The fields, whose memory is reused.
  /// - Returns: Whether a record was read; false at the end.
  mutating func next(_ fields: inout [Field]) throws(Failure) -> Bool {
    while true {
      fields.removeAll(keepingCapacity: true)
      recordLine = line
      guard byte() != nil else { return false }
      var hasMore = true
      while hasMore { hasMore = try readField(&fields) }
      if fields.count == 1, fields[0].isEmpty { continue }
      for field in fields where !Self.isUTF8(field.bytes) {
        throw Failure(message: "the text is not UTF-8", line: recordLine)
      }
      return true
    }
  }

  /// Returns the next byte without consuming it, or nil at the end.
  private mutating func byte() -> UInt8? {
    if position >= window.end { window.extend(keepingFrom: position) }
    return position < window.end ? window[position] : nil
  }

  /// Reads one field and its terminator, and returns whether another field follows.
  private mutating func readField(_ fields: inout [Field]) throws(Failure) -> Bool {
    var field = Field()
    if byte() == Byte.quote {
      try readQuoted(&field)
    } else {
      while let next = byte(), next != separator, next != Byte.newline {
        if next == Byte.carriageReturn, endsLine() { break }
        field.bytes.append(next)
        position += 1
      }
    }
    fields.append(field)
    switch byte() {
    case nil: return false
    case separator:
      position += 1
      return true
    default:
      if byte() == Byte.carriageReturn { position += 1 }
      if byte() == Byte.newline { position += 1 }
      line += 1
      return false
    }
  }

  /// Returns whether the next carriage return ends a line and is not part of a field.
  private mutating func endsLine() -> Bool {
    if position + 1 >= window.end { window.extend(keepingFrom: position) }
    return position + 1 >= window.end || window[position + 1] == Byte.newline
  }

  private mutating func readQuoted(_ field: inout Field) throws(Failure) {
    field.isQuoted = true
    let start = line
    position += 1
    while let next = byte() {
      position += 1
      if next == Byte.newline { line += 1 }
      guard next == Byte.quote else {
        field.bytes.append(next)
        continue
      }
      guard byte() == Byte.quote else { return try checkEnd() }
      field.bytes.append(Byte.quote)
      position += 1
    }
    throw Failure(message: "the quote that a field begins with is not closed", line: start)
  }

  private mutating func checkEnd() throws(Failure) {
    guard let next = byte(), next != separator, next != Byte.newline else { return }
    if next == Byte.carriageReturn, endsLine() { return }
    throw Failure(
      message:
        "\(Self.name(of: separator)) or the end of the line is expected after a closing quote; a quote inside a "
        + "field is written twice", line: line)
  }

  private static func isUTF8(_ bytes: [UInt8]) -> Bool {
    bytes.allSatisfy { $0 < 0x80 } || String(validating: bytes, as: UTF8.self) != nil
  }
}

/// Collects text until a piece is complete.
struct PieceWriter {
  static let pieceLength = 1 << 16

  private(set) var bytes: [UInt8] = []

  mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  mutating func append(_ text: [UInt8]) { bytes.append(contentsOf: text) }

  mutating func flush<Failure: Error>(
    ifFull: Bool, _ sink: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    guard bytes.count >= Self.pieceLength || !ifFull else { return }
    try sink(bytes)
    bytes.removeAll(keepingCapacity: true)
  }

  /// Appends a line of comma-separated values as in RFC 4180: it ends with CR LF, and fields with a
  /// comma, a quote or a line break are quoted. A field is empty for nil, which is a missing value,
  /// and has two quotes for an empty text.
  mutating func append(csv fields: [String?]) {
    for (index, field) in fields.enumerated() {
      if index > 0 { bytes.append(Byte.comma) }
      if let field { append(csv: field) }
    }
    bytes.append(Byte.carriageReturn)
    bytes.append(Byte.newline)
  }

  private mutating func append(csv field: String) {
    let needsQuotes =
      field.isEmpty
      || field.utf8.contains {
        $0 == Byte.comma || $0 == Byte.quote || $0 == Byte.newline || $0 == Byte.carriageReturn
      }
    guard needsQuotes else { return append(field) }
    bytes.append(Byte.quote)
    for byte in field.utf8 {
      if byte == Byte.quote { bytes.append(Byte.quote) }
      bytes.append(byte)
    }
    bytes.append(Byte.quote)
  }
}
