/// Parses types, extensions and their members.
extension DeclarationParser {
  private static let deepestNesting = 64

  /// Parses the declaration after `struct` or a similar keyword.
  mutating func parseNominal(keyword: String, withMembers: Bool) -> NominalDeclaration {
    var nominal = NominalDeclaration(name: Word(text: "", range: current.range))
    if keyword == "extension" {
      if let range = parseType() { nominal.name = Word(text: source.text(range), range: range) }
    } else if current.kind == .identifier {
      nominal.name = word(current)
      advance()
    }
    if current.isOperator("<") {
      let start = index
      if skipAngleBrackets() { nominal.genericParameters = range(from: start) }
    }
    if consume(punctuation: ":") {
      let start = index
      skipHeader(until: "where")
      nominal.inheritance = range(from: start)
    }
    if current.isWord("where") {
      advance()
      let start = index
      skipHeader(until: nil)
      nominal.whereClause = range(from: start)
    }
    guard current.isPunctuation("{") else { return nominal }
    let open = index
    let end = indexAfterGroup(at: open)
    if withMembers {
      advance()
      nominal.members = parseMembers(until: end, depth: 0)
    }
    index = end
    nominal.body = range(from: open)
    return nominal
  }

  private mutating func skipHeader(until word: String?) {
    while !isAtEnd, !current.isPunctuation("{"), !current.isCloser {
      if let word, current.isWord(word) { return }
      skipGroup()
    }
  }

  /// Parses members up to the token at `end` or the end of the current `#if` clause.
  private mutating func parseMembers(until end: Int, depth: Int) -> [Member] {
    var members: [Member] = []
    while index < end, !isAtEnd {
      if current.kind == .pound, ["#elseif", "#else", "#endif"].contains(current.text) {
        if depth > 0 { return members }
        advance()
      } else if current.kind == .pound, current.text == "#if" {
        if let block = parseConditional(until: end, depth: depth) {
          members.append(.conditional(block))
        }
      } else {
        let start = index
        if let declaration = parseDeclaration(withMembers: false) {
          members.append(.declaration(declaration))
          continue
        }
        // The parser may have stopped at a directive after attributes that have no declaration. The
        // loop parses the directive next. In any other case, the unknown member is skipped.
        if index == start || current.kind != .pound { skipUnknownMember() }
      }
    }
    return members
  }

  private mutating func parseConditional(until end: Int, depth: Int) -> ConditionalBlock? {
    let start = index
    guard depth < Self.deepestNesting else {
      skipConditional(until: end)
      return nil
    }
    var clauses: [ConditionalBlock.Clause] = []
    while index < end, current.kind == .pound, current.text != "#endif" {
      let directive = word(current)
      advance()
      let condition = directive.text == "#else" ? nil : parseCondition(until: end)
      let members = parseMembers(until: end, depth: depth + 1)
      clauses.append(.init(directive: directive, condition: condition, members: members))
    }
    if current.kind == .pound, current.text == "#endif", index < end { advance() }
    return ConditionalBlock(clauses: clauses, range: range(from: start))
  }

  /// Skips an `#if` block, including its `#endif`.
  mutating func skipConditional(until end: Int) {
    var depth = 0
    while index < end, !isAtEnd {
      let token = current
      advance()
      guard token.kind == .pound else { continue }
      if token.text == "#if" { depth += 1 }
      if token.text == "#endif" { depth -= 1 }
      if depth == 0 { return }
    }
  }

  /// Parses the condition of `#if`. The condition ends at the end of the line, unless an operator
  /// continues the condition on the next line.
  mutating func parseCondition(until end: Int) -> Range<Int>? {
    let start = index
    while index < end, !isAtEnd {
      let continues = current.isOperator("&") || current.isOperator("|")
      let awaitsMore = index > start && tokens[index - 1].kind == .operator
      if current.startsLine, !continues, !awaitsMore, index > start { break }
      if current.startsLine, index == start { break }
      skipGroup()
    }
    index = min(index, end)
    return index > start ? range(from: start) : nil
  }

  private mutating func skipUnknownMember() {
    repeat {
      skipGroup()
    } while !isAtEnd && !current.startsLine && !beginsMember
      && !current.isCloser
  }
}

/// Finds the ends of types.
extension DeclarationParser {
  /// Parses a type and returns its range, or `nil` if none begins here.
  mutating func parseType() -> Range<Int>? {
    let start = index
    while parseTypeOperand() {
      skipTypeSuffixes()
      guard skipTypeConnector() else { return range(from: start) }
    }
    // If no type follows the last connector, the range ends after the connector.
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

  /// Skips `&`, or `->` with the effects before it. Returns whether there was such a connector.
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
