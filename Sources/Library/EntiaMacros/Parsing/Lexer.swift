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

  /// Whether a `/` here can begin a regular expression, which is the case only if an operand is
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
