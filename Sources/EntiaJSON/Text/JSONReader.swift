/// Reads a JSON text (RFC 8259) one token at a time, from bytes, without recursion.
///
/// ```swift
/// let sum = try JSONReader.reading(Array("[1, 2]".utf8)) { reader throws(JSONError) in
///   var numbers = 0
///   while try reader.next() != .end { numbers += 1 }
///   return numbers
/// }
/// ```
///
/// The reader keeps every digit of a number, knows the exact byte where each token stands, checks
/// UTF-8 as strictly as the grammar, and never traps, whatever the bytes. A byte order mark at the
/// very beginning is skipped, as the RFC allows; anywhere else it is refused. Two members of one
/// name are told by whoever gathers the members (``JSONValue``, the importer): the reader itself
/// remembers none, so that its memory grows by one bit a level of nesting and by nothing else.
public struct JSONReader {
  /// The levels of nesting that are read unless told otherwise: one million.
  public static let defaultMaximumDepth = 1_000_000

  /// What may come next.
  enum State: UInt8 {
    case value
    case firstElement
    case firstName
    case name
    case separator
    case end
  }

  /// A place in a text, and its line and column: where counting them begins.
  struct Line {
    var start = 0
    var number = 1
    var column = 1
  }

  private(set) var base: UnsafePointer<UInt8>
  /// The offset after the last byte that can be read.
  private(set) var count: Int
  let maximumDepth: Int
  private(set) var line: Line
  /// Where more bytes come from, if they are not all here.
  private(set) var window: ByteWindow?
  /// The byte from which on all are kept when more are read.
  var keptFrom = Int.max

  var position = 0
  var state = State.value
  var scopes = JSONScopes()

  /// The byte where the last token begins.
  public internal(set) var tokenStart = 0
  /// The byte after the last token; for a name, after its closing quote.
  public internal(set) var tokenEnd = 0
  /// Says whether the last string or name was written with escapes.
  public internal(set) var hasEscapes = false

  /// How many arrays and objects are open.
  public var depth: Int { scopes.depth }

  /// Makes a reader over bytes that the caller keeps alive and unchanged while it reads.
  ///
  /// Prefer ``reading(_:maximumDepth:_:)``, which sees to that.
  public init(
    _ bytes: UnsafeBufferPointer<UInt8>, maximumDepth: Int = JSONReader.defaultMaximumDepth
  ) {
    self.init(bytes, from: 0, maximumDepth: maximumDepth)
  }

  /// Makes a reader of a value inside a larger text; offsets are those of the larger text.
  init(
    _ bytes: UnsafeBufferPointer<UInt8>, from position: Int,
    maximumDepth: Int = JSONReader.defaultMaximumDepth
  ) {
    // An empty buffer may have no address; no byte is read through this one.
    base = bytes.baseAddress ?? UnsafePointer(bitPattern: 1).unsafelyUnwrapped
    count = bytes.count
    self.maximumDepth = maximumDepth
    line = Line()
    window = nil
    self.position = position
    if position == 0 { skipByteOrderMark() }
  }

  /// Makes a reader of an input that is read as it is needed.
  init(_ window: ByteWindow, maximumDepth: Int = JSONReader.defaultMaximumDepth) {
    // A byte order mark, and what tells another encoding, are the first bytes, which a pipe may give
    // one by one.
    while window.end < 3, !window.isFinal { window.extend(keepingFrom: window.start) }
    base = window.base
    count = window.end
    self.maximumDepth = maximumDepth
    line = Line()
    self.window = window.isFinal ? nil : window
    position = window.start
    if position == 0 { skipByteOrderMark() }
  }

  /// Makes a reader of a value that is here as a whole; offsets are those of the input.
  init(
    _ window: ByteWindow, _ range: Range<Int>, line number: Int, column: Int = 1,
    maximumDepth: Int = JSONReader.defaultMaximumDepth
  ) {
    base = window.base
    count = range.upperBound
    self.maximumDepth = maximumDepth
    line = Line(start: range.lowerBound, number: number, column: column)
    self.window = nil
    position = range.lowerBound
    if position == 0 { skipByteOrderMark() }
  }

  private mutating func skipByteOrderMark() {
    if count >= 3, base[0] == 0xEF, base[1] == 0xBB, base[2] == 0xBF { position = 3 }
  }

  /// Gives a reader of a value that has been read as a whole and kept.
  func reader(from position: Int) -> JSONReader {
    var reader = self
    reader.window = nil
    reader.position = position
    reader.state = .value
    reader.scopes = JSONScopes()
    return reader
  }

  /// Reads on with a copy of this reader, which stays where it is; all bytes from the last token on
  /// are kept meanwhile.
  mutating func lookingAhead<Result>(
    _ body: (inout JSONReader) throws(JSONError) -> Result
  ) throws(JSONError) -> Result {
    var ahead = self
    ahead.keptFrom = min(keptFrom, tokenStart)
    defer {
      // Reading on may have moved the bytes that are here.
      base = ahead.base
      count = ahead.count
      line = ahead.line
    }
    return try body(&ahead)
  }

  /// Reads bytes with a reader that is valid during the closure only.
  ///
  /// - Returns: what the closure returns.
  /// - Throws: what the closure throws.
  public static func reading<Result, Failure: Error>(
    _ bytes: [UInt8], maximumDepth: Int = JSONReader.defaultMaximumDepth,
    _ body: (inout JSONReader) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try bytes.withUnsafeBufferPointer { (buffer) throws(Failure) -> Result in
      var reader = JSONReader(buffer, maximumDepth: maximumDepth)
      return try body(&reader)
    }
  }

  /// Reads one token.
  ///
  /// - Returns: the token; ``JSONToken/end`` at the end of the text, and again thereafter.
  /// - Throws: what is wrong with the text, and where. The reader is then of no further use.
  /// - Complexity: O(length of the token and of the whitespace before it).
  public mutating func next() throws(JSONError) -> JSONToken {
    guard let window else { return try step() }
    return try next(in: window)
  }

  /// Reads one token, and more of the input where the token may go on there.
  private mutating func next(in window: ByteWindow) throws(JSONError) -> JSONToken {
    while true {
      let (position, state) = (position, state)
      do {
        let token = try step()
        // What ends with the bytes that are here may be the beginning of more.
        guard tokenEnd == count, token == .number || token == .end, !window.isFinal else {
          return token
        }
      } catch {
        if window.isFinal { throw error }
        if !isCut(error) { throw located(error.kind, error.message, at: error.offset) }
      }
      self.position = position
      self.state = state
      skipWhitespace()
      window.extend(keepingFrom: min(keptFrom, self.position))
      base = window.base
      count = window.end
      line = Line(start: window.start, number: window.line, column: window.column)
    }
  }

  /// Says whether an error may be there only because bytes are not.
  private func isCut(_ error: JSONError) -> Bool {
    switch error.kind {
    case .unexpectedEnd, .emptyInput: true
    case .invalidUTF8: error.offset + 4 > count
    // The message quotes the word, which goes on as well.
    case .invalidLiteral: error.offset + 64 > count
    default: false
    }
  }

  private mutating func step() throws(JSONError) -> JSONToken {
    skipWhitespace()
    guard position < count else { return try endOfText() }
    let byte = base[position]
    switch state {
    case .separator:
      if byte == Byte.comma {
        position += 1
        skipWhitespace()
        guard position < count else { return try endOfText() }
        return scopes.inObject ? try readName(base[position]) : try readValue(base[position])
      }
      if byte == (scopes.inObject ? Byte.closeBrace : Byte.closeBracket) { return close() }
      throw unexpected(scopes.inObject ? "',' or '}'" : "',' or ']'")
    case .value:
      return try readValue(byte)
    case .firstElement:
      return byte == Byte.closeBracket ? close() : try readValue(byte)
    case .firstName:
      return byte == Byte.closeBrace ? close() : try readName(byte)
    case .name:
      return try readName(byte)
    case .end:
      throw error(
        .trailingContent, "expected the end of the text, found \(describeByte(position))")
    }
  }

  /// Passes over the value that the last token began; a value without parts is passed already.
  ///
  /// - Throws: what is wrong with the passed text, which is checked like any other.
  /// - Complexity: O(length of the value).
  public mutating func skipValue(_ first: JSONToken) throws(JSONError) {
    guard first.opens else { return }
    let outside = depth - 1
    repeat { _ = try next() } while depth > outside
  }
}

// MARK: - Steps

extension JSONReader {
  @inline(__always)
  mutating func skipWhitespace() {
    while position < count {
      switch base[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: return
      }
    }
  }

  private mutating func endOfText() throws(JSONError) -> JSONToken {
    tokenStart = position
    tokenEnd = position
    if state == .end { return .end }
    if state == .value, depth == 0 {
      throw error(.emptyInput, "the text is empty; expected a value")
    }
    throw error(
      .unexpectedEnd, "the text ends inside \(scopes.inObject ? "an object" : "an array")")
  }

  private mutating func readName(_ byte: UInt8) throws(JSONError) -> JSONToken {
    guard byte == Byte.quote else { throw unexpected("a member name in double quotes") }
    try readString()
    skipWhitespace()
    guard position < count else { throw error(.unexpectedEnd, "the text ends inside an object") }
    guard base[position] == Byte.colon else { throw unexpected("':'") }
    position += 1
    state = .value
    return .name
  }

  private mutating func readValue(_ byte: UInt8) throws(JSONError) -> JSONToken {
    let token: JSONToken
    switch byte {
    case Byte.quote:
      try readString()
      token = .string
    case Byte.openBrace:
      return try open(.beginObject)
    case Byte.openBracket:
      return try open(.beginArray)
    case Byte.minus, Byte.zero...Byte.nine:
      try readNumber(byte)
      token = .number
    case UInt8(ascii: "t"):
      try readLiteral("true")
      token = .true
    case UInt8(ascii: "f"):
      try readLiteral("false")
      token = .false
    case UInt8(ascii: "n"):
      try readLiteral("null")
      token = .null
    default:
      throw unexpected("a value")
    }
    state = depth == 0 ? .end : .separator
    return token
  }

  private mutating func open(_ token: JSONToken) throws(JSONError) -> JSONToken {
    guard depth < maximumDepth else {
      throw error(.tooDeep, "arrays and objects nest deeper than \(maximumDepth) levels")
    }
    let isObject = token == .beginObject
    scopes.open(isObject: isObject)
    state = isObject ? .firstName : .firstElement
    tokenStart = position
    position += 1
    tokenEnd = position
    return token
  }

  private mutating func close() -> JSONToken {
    let token: JSONToken = scopes.inObject ? .endObject : .endArray
    scopes.close()
    state = depth == 0 ? .end : .separator
    tokenStart = position
    position += 1
    tokenEnd = position
    return token
  }

  private mutating func readLiteral(_ word: StaticString) throws(JSONError) {
    tokenStart = position
    let length = word.utf8CodeUnitCount
    var index = 0
    while index < length {
      guard position + index < count else {
        position = count
        throw error(.unexpectedEnd, "the text ends inside '\(word)'")
      }
      guard base[position + index] == word.utf8Start[index] else {
        throw error(.invalidLiteral, "expected '\(word)', found \(describeWord(position))")
      }
      index += 1
    }
    position += length
    tokenEnd = position
  }
}
