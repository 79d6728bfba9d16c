/// Where types end.
extension DeclarationParser {
  /// Parses a type and gives where it stands, nil when none begins here.
  mutating func parseType() -> Range<Int>? {
    let start = index
    while parseTypeOperand() {
      skipTypeSuffixes()
      guard skipTypeConnector() else { return range(from: start) }
    }
    // What connects types has nothing after it: what was found is still the best there is.
    return index > start ? range(from: start) : nil
  }

  private mutating func parseTypeOperand() -> Bool {
    skipTypePrefixes()
    if current.isPunctuation("(") || current.isPunctuation("[") {
      skipGroup()
      return true
    }
    guard current.kind == .identifier, !isIntroducer(current) else { return false }
    advance()
    skipGenericArguments()
    return true
  }

  private func isIntroducer(_ token: Token) -> Bool {
    token.startsLine && Self.introducers.contains(token.text)
  }

  private mutating func skipTypePrefixes() {
    while true {
      if current.isPunctuation("@") {
        guard parseAttribute(inType: true) != nil else { return }
      } else if current.isOperator("~") {
        advance()
      } else if current.isWord("nonisolated"), peek().isPunctuation("(") {
        advance()
        skipGroup()
      } else if current.kind == .identifier, Self.typePrefixes.contains(current.text),
        beginsTypeOperand(peek())
      {
        advance()
      } else {
        return
      }
    }
  }

  private func beginsTypeOperand(_ token: Token) -> Bool {
    switch token.kind {
    case .identifier:
      !isIntroducer(token) && !(token.startsLine && Self.modifiers.contains(token.text))
    case .punctuation: token.text == "(" || token.text == "[" || token.text == "@"
    case .operator: token.text == "~"
    default: false
    }
  }

  private mutating func skipGenericArguments() {
    if current.isOperator("<") { _ = skipAngleBrackets() }
  }

  private mutating func skipTypeSuffixes() {
    while true {
      if current.isPunctuation("."), peek().kind == .identifier {
        advance()
        advance()
        skipGenericArguments()
      } else if isModuleSelector {
        advance()
        advance()
        advance()
        skipGenericArguments()
      } else if current.isOperator("?") || current.isOperator("!"), !current.followsSpace {
        advance()
      } else if current.isOperator("."), current.remainingRun == 3, !current.followsSpace {
        skipOperator()
      } else {
        return
      }
    }
  }

  /// Skips `&`, or `->` with the effects before it.
  private mutating func skipTypeConnector() -> Bool {
    if current.isWholeOperator("&") {
      advance()
      return true
    }
    let start = index
    while current.kind == .identifier, Self.effects.contains(current.text) {
      advance()
      if current.isPunctuation("("), !current.followsSpace { skipGroup() }
    }
    if isArrow {
      skipOperator()
      return true
    }
    index = start
    return false
  }

  var isArrow: Bool {
    current.isOperator("-") && current.remainingRun == 2 && peek().isOperator(">")
  }

  /// Moves behind `<…>`; false, without moving, when these are no brackets but comparisons.
  mutating func skipAngleBrackets() -> Bool {
    var depth = 0
    var position = index
    while position < tokens.count - 1 {
      let token = tokens[position]
      switch token.kind {
      case .operator:
        if token.text == "<" {
          depth += 1
        } else if token.text == ">" {
          let isArrowHead =
            token.remainingRun == 1 && tokens[max(0, position - 1)].isOperator("-")
            && tokens[max(0, position - 1)].remainingRun == 2
          if !isArrowHead { depth -= 1 }
          if depth == 0 {
            index = position + 1
            return true
          }
        } else if !["&", "?", "!", "-", ".", "~", "="].contains(token.text)
          || (token.text == "=" && token.remainingRun == 1 && !tokens[position - 1].isOperator("="))
        {
          return false
        }
        position += 1
      case .punctuation:
        if token.isCloser || ["{", ";", "\\"].contains(token.text) { return false }
        position = indexAfterGroup(at: position)
      case .identifier, .number: position += 1
      default: return false
      }
    }
    return false
  }

  private static let typePrefixes: Set<String> = [
    "any", "some", "inout", "borrowing", "consuming", "sending", "isolated", "repeat", "each",
    "__owned", "__shared", "_const",
  ]

  private static let effects: Set<String> = ["async", "throws", "rethrows", "reasync"]
}
