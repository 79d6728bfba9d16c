/// Finds the ends of types.
extension DeclarationParser {
  /// Parses a type and returns its range, or `nil` if none begins here.
  mutating func parseType() -> Range<Int>? {
    let start = index
    while parseTypeOperand() {
      skipTypeSuffixes()
      guard skipTypeConnector() else { return range(from: start) }
    }
    // Nothing follows the connector. The range up to here is still the best result.
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

  private static let typePrefixes: Set<String> = [
    "any", "some", "inout", "borrowing", "consuming", "sending", "isolated", "repeat", "each",
    "__owned", "__shared", "_const",
  ]

  private static let effects: Set<String> = ["async", "throws", "rethrows", "reasync"]
}
