/// Finds the ends of the initial values of properties.
extension DeclarationParser {
  /// Parses an expression and returns its range, or `nil` if none begins here.
  mutating func parseExpression() -> Range<Int>? {
    let start = index
    var openTernaries = 0
    repeat {
      guard parseOperand() else { break }
    } while skipConnector(openTernaries: &openTernaries)
    return index > start ? range(from: start) : nil
  }

  // MARK: Operands

  private mutating func parseOperand() -> Bool {
    skipExpressionPrefixes()
    switch current.kind {
    case .number, .string, .regex:
      advance()
      skipSuffixes(ofLiteral: true)
      return true
    case .identifier:
      return parseWord()
    case .pound:
      guard !["#if", "#elseif", "#else", "#endif"].contains(current.text) else { return false }
      advance()
    case .punctuation:
      switch current.text {
      case "(", "[", "{": skipGroup()
      case "\\": skipKeyPathStart()
      case "." where peek().kind == .identifier: break
      default: return false
      }
    case .operator, .unknown, .end:
      return false
    }
    skipSuffixes(ofLiteral: false)
    return true
  }

  private mutating func parseWord() -> Bool {
    switch current.text {
    case "if":
      skipIf()
      return true
    case "switch":
      skipToBraces()
      return true
    case "do":
      skipToBraces()
      while current.isWord("catch") { skipToBraces() }
      return true
    case _ where Self.introducers.contains(current.text) && current.text != "init":
      return false
    default:
      let isLiteral = ["true", "false", "nil"].contains(current.text)
      advance()
      skipSuffixes(ofLiteral: isLiteral)
      return true
    }
  }

  private mutating func skipExpressionPrefixes() {
    while true {
      if current.kind == .identifier, Self.expressionPrefixes.contains(current.text),
        beginsOperand(peek())
      {
        advance()
      } else if current.isWord("try"), peek().kind == .operator {
        advance()
        skipOperator()
      } else if current.kind == .operator, !current.isLeftBound, current.isRightBound {
        skipOperator()
      } else {
        return
      }
    }
  }

  private func beginsOperand(_ token: Token) -> Bool {
    switch token.kind {
    case .identifier: token.text != "is" && token.text != "as"
    case .number, .string, .regex, .pound: true
    case .punctuation: token.isOpener || token.text == "\\"
    case .operator: !token.isLeftBound && token.isRightBound
    case .unknown, .end: false
    }
  }

  private mutating func skipIf() {
    skipToBraces()
    while current.isWord("else") {
      advance()
      if current.isWord("if") {
        skipToBraces()
      } else if current.isPunctuation("{") {
        skipGroup()
      }
    }
  }

  /// Skips everything up to the end of the next braces.
  private mutating func skipToBraces() {
    repeat { skipGroup() } while !isAtEnd && !current.isPunctuation("{") && !current.isCloser
    if current.isPunctuation("{") { skipGroup() }
  }

  private mutating func skipKeyPathStart() {
    advance()
    if current.kind == .identifier {
      advance()
    } else if current.isPunctuation("[") || current.isPunctuation("(") {
      skipGroup()
    }
  }

  // MARK: Suffixes of operands

  private mutating func skipSuffixes(ofLiteral isLiteral: Bool) {
    var isLiteral = isLiteral
    while true {
      if current.isPunctuation(".") {
        guard peek().kind == .identifier || peek().kind == .number || peek().isOpener else {
          return
        }
        advance()
        if !current.isOpener { advance() }
      } else if isModuleSelector {
        for _ in 0..<3 { advance() }
      } else if current.isPunctuation("(") || current.isPunctuation("["), !current.startsLine {
        skipGroup()
      } else if current.isPunctuation("{") {
        if isLiteral || beginsAccessors(at: index) { return }
        skipTrailingClosures()
      } else if current.isOperator("<"), !current.followsSpace {
        guard skipCallArguments() else { return }
      } else if isPostfixOperator {
        skipOperator()
      } else if current.kind == .pound, current.text == "#if", conditionalHoldsSuffix {
        skipConditional(until: tokens.count - 1)
      } else {
        return
      }
      isLiteral = false
    }
  }

  private mutating func skipTrailingClosures() {
    skipGroup()
    while current.kind == .identifier, peek().isPunctuation(":"), peek(2).isPunctuation("{") {
      advance()
      advance()
      skipGroup()
    }
  }

  /// Skips generic arguments, if the token after them may follow a type. Returns whether they were
  /// skipped.
  private mutating func skipCallArguments() -> Bool {
    let start = index
    guard skipAngleBrackets() else { return false }
    let next = current
    switch next.kind {
    case .end, .pound: return true
    case .punctuation where next.text != "@" && next.text != "\\": return true
    case .operator where next.isLeftBound || next.isOperator("?") || next.isOperator("!"):
      return true
    case _ where next.startsLine: return true
    default:
      index = start
      return false
    }
  }

  private var isPostfixOperator: Bool {
    guard current.kind == .operator, !current.followsSpace else { return false }
    if current.remainingRun == 1, current.text == "?" || current.text == "!" { return true }
    return current.isLeftBound && !current.isRightBound
  }

  /// Whether the current `#if` continues a member chain, as in `a #if x .b() #endif`.
  private var conditionalHoldsSuffix: Bool {
    var ahead = self
    ahead.advance()
    _ = ahead.parseCondition(until: tokens.count - 1)
    return ahead.current.isPunctuation(".")
  }

  // MARK: Connectors of operands

  private mutating func skipConnector(openTernaries: inout Int) -> Bool {
    while current.isWord("is") || current.isWord("as") {
      advance()
      if current.isOperator("?") || current.isOperator("!") { advance() }
      _ = parseType()
    }
    if openTernaries > 0, consume(punctuation: ":") {
      openTernaries -= 1
      return true
    }
    guard current.kind == .operator, current.isLeftBound == current.isRightBound else {
      return false
    }
    if current.isWholeOperator("?") { openTernaries += 1 }
    skipOperator()
    return true
  }

  private static let expressionPrefixes: Set<String> = [
    "try", "await", "unsafe", "consume", "copy", "borrow", "each", "repeat", "any", "some",
  ]
}

/// The matching brackets, computed once for all tokens, so that parsing takes linear time even with
/// unclosed brackets.
struct BracketMatches: Sendable {
  /// For each token, the index after it; for an opening bracket, the index after its group.
  let indexAfterGroup: [Int]
  /// For each `<` that begins generic parameters or arguments, the index after the closing `>`;
  /// else `nil`.
  let indexAfterAngles: [Int?]

  init(_ tokens: [Token]) {
    indexAfterGroup = Self.matchGroups(tokens)
    indexAfterAngles = Self.matchAngles(tokens, indexAfterGroup)
  }

  /// Matches brackets. A closing bracket of an outer group also ends the unclosed inner groups
  /// before it.
  private static func matchGroups(_ tokens: [Token]) -> [Int] {
    var result = Array(1...max(1, tokens.count))
    var open: [Int] = []
    for (index, token) in tokens.enumerated() {
      if token.isOpener {
        open.append(index)
      } else if token.isCloser {
        let opener = token.text == ")" ? "(" : token.text == "]" ? "[" : "{"
        // A brace ends the unclosed groups inside it. Other brackets do not match across a brace.
        let match = open.lastIndex { tokens[$0].text == opener || tokens[$0].text == "{" }
        guard let match, tokens[open[match]].text == opener else { continue }
        for unclosed in open[(match + 1)...] { result[unclosed] = index }
        result[open[match]] = index + 1
        open.removeSubrange(match...)
      }
    }
    for unclosed in open { result[unclosed] = tokens.count - 1 }
    return result
  }

  /// Matches `<` and `>` inside each group. If a token between a `<` and a `>` cannot be part of a
  /// type, the two are comparison operators and do not match.
  private static func matchAngles(_ tokens: [Token], _ indexAfterGroup: [Int]) -> [Int?] {
    var result = [Int?](repeating: nil, count: tokens.count)
    var groupEnds = [tokens.count]
    var open: [[Int]] = [[]]
    for (index, token) in tokens.enumerated() {
      while index >= groupEnds[groupEnds.count - 1], groupEnds.count > 1 {
        groupEnds.removeLast()
        open.removeLast()
      }
      if token.isOperator("<") {
        open[open.count - 1].append(index)
      } else if token.isOperator(">") {
        guard !isArrowHead(index, tokens) else { continue }
        if let opener = open[open.count - 1].popLast() { result[opener] = index + 1 }
      } else if !mayStandInAngles(index, tokens) {
        open[open.count - 1].removeAll()
      }
      if token.isOpener {
        groupEnds.append(indexAfterGroup[index])
        open.append([])
      }
    }
    return result
  }

  private static func isArrowHead(_ index: Int, _ tokens: [Token]) -> Bool {
    index > 0 && tokens[index].remainingRun == 1 && tokens[index - 1].isOperator("-")
      && tokens[index - 1].remainingRun == 2
  }

  private static func mayStandInAngles(_ index: Int, _ tokens: [Token]) -> Bool {
    let token = tokens[index]
    switch token.kind {
    case .identifier, .number: return true
    case .punctuation: return !token.isCloser && !["{", ";", "\\"].contains(token.text)
    case .operator:
      // In generic parameters, `=` occurs only as a part of `==`, in a requirement.
      if token.text == "=" {
        return token.remainingRun == 2 || (index > 0 && tokens[index - 1].isOperator("="))
      }
      return ["&", "?", "!", "-", ".", "~"].contains(token.text)
    default: return false
    }
  }
}
