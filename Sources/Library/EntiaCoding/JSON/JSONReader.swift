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
/// The reader keeps every digit of a number and the exact byte offsets of each token. It validates
/// UTF-8 as strictly as the grammar, and never traps, for any input. A byte order mark at the very
/// start is skipped, as the RFC allows; anywhere else it is an error. The reader does not detect
/// duplicate member names; the types that collect members do (``JSONValue``, the importer). The
/// reader itself therefore needs only one bit of memory for each level of nesting.
public struct JSONReader {
  /// The default limit of the nesting depth: one million levels.
  @usableFromInline
  package static let defaultMaximumDepth = 1_000_000

  /// The tokens that the grammar allows next.
  enum State: UInt8 {
    case value
    case firstElement
    case firstName
    case name
    case separator
    case end
  }

  /// The position from which lines are counted: an offset with its line and column.
  struct Line {
    var start = 0
    var number = 1
    var column = 1
  }

  @usableFromInline package private(set) var base: UnsafePointer<UInt8>
  /// The offset after the last byte that can be read.
  @usableFromInline package private(set) var count: Int
  package let maximumDepth: Int
  private(set) var line: Line
  /// The source of more bytes, if not all are in memory.
  private(set) var window: ByteWindow?
  /// The offset from which bytes are kept when more of the input is read.
  package var keptFrom = Int.max

  var position = 0
  var state = State.value
  var scopes = JSONScopes()

  /// The offset of the first byte of the last token.
  @usableFromInline package internal(set) var tokenStart = 0
  /// The offset after the last token; for a name, after its closing quote.
  @usableFromInline package internal(set) var tokenEnd = 0
  /// Whether the last string or name contains escapes.
  @usableFromInline package internal(set) var hasEscapes = false

  /// The number of open arrays and objects.
  public var depth: Int { scopes.depth }

  /// Creates a reader of a value inside a larger text. The caller keeps the text alive and
  /// unchanged. Offsets are those of the larger text.
  package init(
    _ bytes: UnsafeBufferPointer<UInt8>, from position: Int = 0,
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

  /// Creates a reader of an input that is read on demand.
  package init(_ window: ByteWindow, maximumDepth: Int = JSONReader.defaultMaximumDepth) {
    // The byte order mark and the marks of other encodings are in the first bytes, and a pipe may
    // deliver these one by one.
    while window.end < 3, !window.isFinal { window.extend(keepingFrom: window.start) }
    base = window.base
    count = window.end
    self.maximumDepth = maximumDepth
    line = Line()
    self.window = window.isFinal ? nil : window
    position = window.start
    if position == 0 { skipByteOrderMark() }
  }

  /// Creates a reader of a value that is completely in memory; offsets are those of the input.
  package init(
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

  /// Returns a reader of the value at an offset. All bytes of the value must be in memory.
  package func reader(from position: Int) -> JSONReader {
    var reader = self
    reader.window = nil
    reader.position = position
    reader.state = .value
    reader.scopes = JSONScopes()
    return reader
  }

  /// Calls a closure with a copy of this reader. This reader stays at its position, and all bytes
  /// from its last token on are kept during the call.
  package mutating func lookingAhead<Result>(
    _ body: (inout JSONReader) throws(JSONError) -> Result
  ) throws(JSONError) -> Result {
    var ahead = self
    ahead.keptFrom = min(keptFrom, tokenStart)
    defer {
      // The copy may have read more and moved the bytes in memory.
      base = ahead.base
      count = ahead.count
      line = ahead.line
    }
    return try body(&ahead)
  }

  /// Calls a closure with a reader of bytes. The reader is valid only during the call.
  ///
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure.
  public static func reading<Result, Failure: Error>(
    _ bytes: [UInt8], maximumDepth: Int = JSONReader.defaultMaximumDepth,
    _ body: (inout JSONReader) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try bytes.withUnsafeBufferPointer { (buffer) throws(Failure) -> Result in
      var reader = JSONReader(buffer, maximumDepth: maximumDepth)
      return try body(&reader)
    }
  }

  /// Reads the next token.
  ///
  /// - Returns: The token; ``JSONToken/end`` at the end of the text and on every later call.
  /// - Throws: A ``JSONError`` if the text is invalid. The reader must not be used afterwards.
  /// - Complexity: O(length of the token and of the whitespace before it).
  public mutating func next() throws(JSONError) -> JSONToken {
    if window == nil { return try step() }
    // The window is an object. It is retained only when more of the input is read, because
    // retaining it takes longer than reading a short token.
    let (position, state) = (position, state)
    let token: JSONToken
    do {
      token = try step()
    } catch {
      return try next(after: error, .end, from: position, state)
    }
    if tokenEnd != count || (token != .number && token != .end) { return token }
    return try next(after: nil, token, from: position, state)
  }

  /// Reads more of the input and repeats reading a token, until the token is complete or the input
  /// ends.
  ///
  /// - Parameters:
  ///   - error: The error in reading the token from the bytes in memory. Its reason may be missing
  ///     bytes.
  ///   - token: The token, if there is no error. It ends at the last byte in memory and may
  ///     continue in the bytes that follow.
  ///   - position: The position before the token.
  ///   - state: The state before the token.
  @inline(never)
  private mutating func next(
    after error: JSONError?, _ token: JSONToken, from position: Int, _ state: State
  ) throws(JSONError) -> JSONToken {
    guard let window else { return token }
    var (error, token, position, state) = (error, token, position, state)
    while true {
      if let error {
        if window.isFinal { throw error }
        if !isCut(error) { throw located(error.kind, error.message, at: error.offset) }
      } else if window.isFinal {
        return token
      }
      self.position = position
      self.state = state
      skipWhitespace()
      window.extend(keepingFrom: min(keptFrom, self.position))
      base = window.base
      count = window.end
      line = Line(start: window.start, number: window.line, column: window.column)
      position = self.position
      state = self.state
      do {
        token = try step()
        error = nil
        if tokenEnd != count || (token != .number && token != .end) { return token }
      } catch let failure {
        error = failure
      }
    }
  }

  /// Returns whether an error may have occurred only because the rest of the token is not in
  /// memory.
  private func isCut(_ error: JSONError) -> Bool {
    switch error.kind {
    case .unexpectedEnd, .emptyInput: true
    case .invalidUTF8: error.offset + 4 > count
    // The message quotes a word whose rest may not be in memory.
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

  /// Skips the value that the last token began. A value without parts is already read.
  ///
  /// - Throws: A ``JSONError`` if the skipped text is invalid; it is validated like all text.
  /// - Complexity: O(length of the value).
  package mutating func skipValue(_ first: JSONToken) throws(JSONError) {
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

/// Whether each open level is an object or an array: one bit a level, the innermost in the lowest
/// bit.
struct JSONScopes {
  private(set) var depth = 0
  private var bits: UInt64 = 0
  /// The bits of the outer levels, in full blocks of 64 levels.
  private var blocks: [UInt64] = []

  /// Whether the innermost open level is an object.
  @inline(__always)
  var inObject: Bool { bits & 1 == 1 && depth > 0 }

  @inline(__always)
  mutating func open(isObject: Bool) {
    if depth & 63 == 0, depth > 0 { blocks.append(bits) }
    bits = bits << 1 | (isObject ? 1 : 0)
    depth += 1
  }

  @inline(__always)
  mutating func close() {
    depth -= 1
    if depth & 63 == 0, let block = blocks.popLast() {
      bits = block
    } else {
      bits >>= 1
    }
  }
}
