/// Splits Swift source into tokens. It never fails: an unknown character is a token of its own.
struct Lexer {
  let source: SourceBytes
  var position = 0
  private var tokens: [Token] = []
  private var startsLine = true
  private var followsSpace = true

  private init(source: SourceBytes) {
    self.source = source
  }

  /// Returns the tokens of `source`. The last one is the end token.
  static func tokens(of source: SourceBytes) -> [Token] {
    var lexer = Lexer(source: source)
    lexer.run()
    return lexer.tokens
  }

  private mutating func run() {
    if source.hasText("\u{FEFF}", at: 0) { position = 3 }
    while true {
      startsLine = tokens.isEmpty
      followsSpace = tokens.isEmpty
      skipTrivia()
      guard position < source.count else { break }
      lexToken()
    }
    append(.end, from: position)
  }

  private mutating func skipTrivia() {
    while let byte = source[position] {
      switch byte {
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        startsLine = true
        position += 1
      case UInt8(ascii: " "), UInt8(ascii: "\t"), 0x0B, 0x0C, 0:
        position += 1
      case UInt8(ascii: "/") where isCommentStart(position):
        let start = position
        position = endOfComment(at: position)
        if source.bytes[start..<position].contains(where: { $0 == 0x0A || $0 == 0x0D }) {
          startsLine = true
        }
      default: return
      }
      followsSpace = true
    }
  }

  private mutating func lexToken() {
    let start = position
    guard let (scalar, length) = source.scalar(at: position) else { return }
    switch scalar {
    case "(", ")", "[", "]", "{", "}", ",", ":", ";", "@", "\\":
      position += 1
      append(.punctuation, from: start)
    case "." where source[position + 1] != UInt8(ascii: "."):
      position += 1
      append(.punctuation, from: start)
    case "\"":
      position = endOfString(at: position, delimiter: 0)
      append(.string, from: start)
    case "#": lexPound()
    case "`": lexQuotedIdentifier()
    case "0"..."9": lexNumber()
    case "/" where mayBeginRegex:
      if let end = endOfRegex(at: position) {
        position = end
        append(.regex, from: start)
      } else {
        lexOperator()
      }
    case _ where Self.isOperatorHead(scalar) || scalar == ".": lexOperator()
    case _ where Self.isIdentifierPart(scalar): lexIdentifier()
    default:
      position += length
      append(.unknown, from: start)
    }
  }

  private mutating func append(_ kind: Token.Kind, from start: Int) {
    let range = start..<position
    let text =
      switch kind {
      case .string, .regex, .number, .end: ""
      default: source.text(range)
      }
    tokens.append(
      Token(
        kind: kind, range: range, text: text, startsLine: startsLine, followsSpace: followsSpace))
  }

  private mutating func lexIdentifier() {
    let start = position
    while let (scalar, length) = source.scalar(at: position), Self.isIdentifierPart(scalar) {
      position += length
    }
    append(.identifier, from: start)
  }

  private mutating func lexQuotedIdentifier() {
    let start = position
    position += 1
    while let byte = source[position], byte != UInt8(ascii: "`"), byte != 0x0A, byte != 0x0D {
      position += 1
    }
    guard source[position] == UInt8(ascii: "`") else {
      position = start + 1
      return append(.unknown, from: start)
    }
    position += 1
    append(.identifier, from: start)
  }

  private mutating func lexPound() {
    let start = position
    let count = source.countRun(of: UInt8(ascii: "#"), at: position)
    switch source[position + count] {
    case UInt8(ascii: "\""):
      position = endOfString(at: position + count, delimiter: count)
      append(.string, from: start)
    case UInt8(ascii: "/"):
      position = endOfExtendedRegex(at: position + count, delimiter: count)
      append(.regex, from: start)
    default:
      position += 1
      if let (scalar, _) = source.scalar(at: position), Self.isIdentifierPart(scalar),
        !("0"..."9").contains(scalar)
      {
        while let (scalar, length) = source.scalar(at: position), Self.isIdentifierPart(scalar) {
          position += length
        }
        append(.pound, from: start)
      } else {
        append(.unknown, from: start)
      }
    }
  }

  private mutating func lexNumber() {
    let start = position
    let isMember = tokens.last?.isPunctuation(".") ?? false
    var hasPoint = isMember
    let isHex = source.hasText("0x", at: start)
    while let byte = source[position] {
      switch byte {
      case UInt8(ascii: "+"), UInt8(ascii: "-"):
        let previous = source[position - 1].map { $0 | 0x20 }
        let isExponent =
          position > start && !isMember
          && previous == (isHex ? UInt8(ascii: "p") : UInt8(ascii: "e"))
        guard isExponent else { return append(.number, from: start) }
      case UInt8(ascii: "."):
        guard !hasPoint, let next = source[position + 1],
          (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next)
        else { return append(.number, from: start) }
        hasPoint = true
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"),
        UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
        break
      default: return append(.number, from: start)
      }
      position += 1
    }
    append(.number, from: start)
  }

  private mutating func lexOperator() {
    let start = position
    let allowsPoint = source[start] == UInt8(ascii: ".")
    var ends: [Int] = []
    while let (scalar, length) = source.scalar(at: position) {
      if position > start, isCommentStart(position) { break }
      let belongs = scalar == "." ? allowsPoint : Self.isOperatorPart(scalar)
      guard belongs else { break }
      position += length
      ends.append(position)
    }
    let isLeftBound = !followsSpace && !isOpeningOrSeparator(tokens.last)
    let isRightBound = !isSpaceOrClosing(at: position)
    var characterStart = start
    for (index, end) in ends.enumerated() {
      var token = Token(
        kind: .operator, range: characterStart..<end, text: source.text(characterStart..<end),
        startsLine: index == 0 && startsLine, followsSpace: index == 0 && followsSpace)
      token.remainingRun = ends.count - index
      token.isLeftBound = isLeftBound
      token.isRightBound = isRightBound
      tokens.append(token)
      characterStart = end
    }
  }

  private func isOpeningOrSeparator(_ token: Token?) -> Bool {
    guard let token, token.kind == .punctuation else { return token == nil }
    return token.isOpener || token.text == "," || token.text == ":" || token.text == ";"
  }

  private func isSpaceOrClosing(at offset: Int) -> Bool {
    guard let byte = source[offset] else { return true }
    switch byte {
    case 0, 0x09...0x0D, 0x20: return true
    case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ","),
      UInt8(ascii: ";"), UInt8(ascii: ":"):
      return true
    default: return isCommentStart(offset)
    }
  }

  /// Whether a `/` here can begin a regular expression. This is the case only if an operand is
  /// expected.
  private var mayBeginRegex: Bool {
    guard let last = tokens.last else { return true }
    switch last.kind {
    case .number, .string, .regex, .pound: return false
    case .operator: return !last.isLeftBound || last.isRightBound || followsSpace
    case .punctuation: return !last.isCloser && last.text != "."
    case .identifier: return Self.wordsBeforeOperand.contains(last.text)
    case .unknown, .end: return true
    }
  }

  private static let wordsBeforeOperand: Set<String> = [
    "return", "in", "case", "where", "if", "while", "guard", "else", "try", "await", "throw",
    "switch", "do", "yield", "consume", "copy", "unsafe",
  ]
}

/// The UTF-8 bytes of a source text. All offsets are indexes of these bytes.
struct SourceBytes: Sendable {
  let bytes: [UInt8]

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  var count: Int { bytes.count }

  /// The byte at `offset`; `nil` outside the text.
  subscript(offset: Int) -> UInt8? {
    bytes.indices.contains(offset) ? bytes[offset] : nil
  }

  /// Returns the text of `range`, which is clamped to the source.
  func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range.clamped(to: 0..<bytes.count)], as: UTF8.self)
  }

  /// Whether the bytes at `offset` are `text`.
  func hasText(_ text: StaticString, at offset: Int) -> Bool {
    guard offset >= 0, offset + text.utf8CodeUnitCount <= bytes.count else { return false }
    for index in 0..<text.utf8CodeUnitCount where bytes[offset + index] != text.utf8Start[index] {
      return false
    }
    return true
  }

  /// Returns the number of consecutive bytes equal to `byte` at `offset`.
  func countRun(of byte: UInt8, at offset: Int) -> Int {
    var end = offset
    while self[end] == byte { end += 1 }
    return end - offset
  }

  /// Returns the scalar at `offset` and its number of bytes, or `nil` at the end.
  func scalar(at offset: Int) -> (scalar: Unicode.Scalar, length: Int)? {
    guard let first = self[offset] else { return nil }
    if first < 0x80 { return (Unicode.Scalar(first), 1) }
    let end = min(offset + 4, bytes.count)
    let decoded = String(decoding: bytes[offset..<end], as: UTF8.self).unicodeScalars.first
    // If `offset` is the first byte of a scalar, `decoded` and its width are correct, because the
    // bytes are those of a `String`.
    guard let decoded else { return nil }
    return (decoded, max(1, min(UTF8.width(decoded), end - offset)))
  }
}

/// A line of the user's source file.
struct SourceLine: Equatable, Sendable {
  var fileName: String
  var number: Int
}

/// The characters of names and operators, according to the grammar in The Swift Programming
/// Language.
extension Lexer {
  static func isIdentifierPart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_", "$": true
    default: scalar.value >= 0x80 && !isOperatorHead(scalar)
    }
  }

  static func isOperatorPart(_ scalar: Unicode.Scalar) -> Bool {
    isOperatorHead(scalar) || operatorMarks.contains { $0.contains(scalar.value) }
  }

  static func isOperatorHead(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "/", "=", "-", "+", "!", "*", "%", "<", ">", "&", "|", "^", "~", "?": true
    default: scalar.value >= 0x80 && operatorHeads.contains { $0.contains(scalar.value) }
    }
  }

  private static let operatorHeads: [ClosedRange<UInt32>] = [
    0xA1...0xA7, 0xA9...0xA9, 0xAB...0xAC, 0xAE...0xAE, 0xB0...0xB1, 0xB6...0xB6, 0xBB...0xBB,
    0xBF...0xBF, 0xD7...0xD7, 0xF7...0xF7, 0x2016...0x2017, 0x2020...0x2027, 0x2030...0x203E,
    0x2041...0x2053, 0x2055...0x205E, 0x2190...0x23FF, 0x2500...0x2775, 0x2794...0x2BFF,
    0x2E00...0x2E7F, 0x3001...0x3003, 0x3008...0x3020, 0x3030...0x3030,
  ]

  private static let operatorMarks: [ClosedRange<UInt32>] = [
    0x300...0x36F, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE00...0xFE0F, 0xFE20...0xFE2F,
    0xE0100...0xE01EF,
  ]
}

extension Lexer {
  /// Returns `code` with each `Self` replaced by `name`, which is the name of the type that
  /// contains the code. The result can be written into a nested type, where `Self` would be the
  /// nested type.
  ///
  /// `Self` in the interpolations of strings is not replaced.
  static func replacingSelf(in code: String, by name: Word) -> String {
    let source = SourceBytes(code)
    var result = ""
    var end = 0
    for token in tokens(of: source) where token.isWord("Self") {
      result += source.text(end..<token.range.lowerBound) + name.text
      end = token.range.upperBound
    }
    return result + source.text(end..<source.count)
  }
}
