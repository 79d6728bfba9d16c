/// Parses one Swift declaration, as far as the macros need it.
///
/// Unknown syntax is skipped by balanced brackets. No function recurses with the depth of the
/// brackets, so that no source can exhaust the stack.
struct DeclarationParser {
  let source: SourceBytes
  let tokens: [Token]
  private let matches: BracketMatches
  var index = 0

  init(_ source: SourceBytes) {
    self.source = source
    tokens = Lexer.tokens(of: source)
    matches = BracketMatches(tokens)
  }

  /// Returns the declaration at the beginning of `source`, or `nil` if there is none.
  static func parse(_ source: SourceBytes) -> Declaration? {
    var parser = DeclarationParser(source)
    return parser.parseDeclaration(withMembers: true)
  }

  // MARK: Moving

  var current: Token { tokens[index] }

  /// Returns the token `distance` ahead, or the end token if there are fewer.
  func peek(_ distance: Int = 1) -> Token {
    tokens[min(index + distance, tokens.count - 1)]
  }

  var isAtEnd: Bool { current.kind == .end }

  /// Moves past the current token.
  mutating func advance() {
    index = min(index + 1, tokens.count - 1)
  }

  /// Moves past the current token, or past the group that it opens.
  mutating func skipGroup() {
    index = min(matches.indexAfterGroup[index], tokens.count - 1)
  }

  /// Returns the index after the token at `index`, or after the group that it opens.
  func indexAfterGroup(at index: Int) -> Int {
    min(matches.indexAfterGroup[index], tokens.count - 1)
  }

  /// Moves past `<…>`. Returns `false` without moving if these are comparison operators.
  mutating func skipAngleBrackets() -> Bool {
    guard let next = matches.indexAfterAngles[index] else { return false }
    index = next
    return true
  }

  /// Moves past the operator that begins with the current character.
  mutating func skipOperator() {
    for _ in 0..<max(1, current.remainingRun) { advance() }
  }

  mutating func consume(punctuation text: String) -> Bool {
    guard current.isPunctuation(text) else { return false }
    advance()
    return true
  }

  /// Returns the bytes from the token at `start` to the end of the last token before `index`.
  func range(from start: Int) -> Range<Int> {
    guard index > start else {
      return tokens[start].range.lowerBound..<tokens[start].range.lowerBound
    }
    return tokens[start].range.lowerBound..<tokens[index - 1].range.upperBound
  }

  func word(_ token: Token) -> Word {
    Word(text: token.text, range: token.range)
  }

  // MARK: Declarations

  /// Parses a declaration. Returns `nil` if there is none; the position is then unspecified.
  mutating func parseDeclaration(withMembers: Bool) -> Declaration? {
    let (attributes, modifiers) = parseAttributes()
    guard current.kind == .identifier, Self.introducers.contains(current.text) else { return nil }
    var declaration = Declaration(
      attributes: attributes, modifiers: modifiers, keyword: word(current),
      kind: .other(name: nil))
    let keyword = current.text
    advance()
    switch keyword {
    case "var", "let":
      declaration.kind = .variable(parseBindings())
    case "struct", "class", "enum", "actor", "protocol", "extension":
      declaration.kind = .nominal(parseNominal(keyword: keyword, withMembers: withMembers))
    case "func":
      declaration.kind = .function(parseFunction())
    default:
      let name = current.kind == .identifier && !current.startsLine ? word(current) : nil
      declaration.kind = .other(name: name)
      skipRestOfDeclaration(endsWithBraces: Self.introducersWithBody.contains(keyword))
    }
    return declaration
  }

  private mutating func parseFunction() -> FunctionDeclaration {
    let name = current.kind == .identifier ? word(current) : nil
    // The name of an operator may be any tokens; the parameters follow it.
    while !current.isPunctuation("("), !isAtEnd, !current.isPunctuation("{"), !current.isCloser {
      advance()
    }
    if current.isPunctuation("(") { skipGroup() }
    let start = index
    skipRestOfDeclaration(endsWithBraces: true)
    var isThrowing = false
    var thrownType: String?
    var position = start
    while position < index, !tokens[position].isPunctuation("{") {
      let next = min(position + 1, tokens.count - 1)
      if tokens[position].isWord("throws") {
        isThrowing = true
        guard tokens[next].isPunctuation("(") else { break }
        let end = indexAfterGroup(at: next)
        thrownType = text(between: next + 1, and: end - 1)
        break
      }
      position = indexAfterGroup(at: position)
    }
    return FunctionDeclaration(name: name, isThrowing: isThrowing, thrownType: thrownType)
  }

  private func text(between start: Int, and end: Int) -> String {
    guard start < end else { return "" }
    return source.text(tokens[start].range.lowerBound..<tokens[end - 1].range.upperBound)
  }

  /// Skips to the end of a declaration whose contents are not parsed. If the declaration ends with
  /// braces, the end is after the braces. Otherwise it is the beginning of the next declaration.
  mutating func skipRestOfDeclaration(endsWithBraces: Bool) {
    while !isAtEnd, !current.isCloser, !current.isPunctuation(";") {
      if current.startsLine, beginsMember, !previousAsksForMore { return }
      if endsWithBraces, current.isPunctuation("{") { return skipGroup() }
      skipGroup()
    }
  }

  /// Whether the current token is regarded as the beginning of a member.
  var beginsMember: Bool {
    switch current.kind {
    case .identifier:
      Self.introducers.contains(current.text) || Self.modifiers.contains(current.text)
    case .punctuation: current.text == "@"
    case .pound: true
    default: false
    }
  }

  private var previousAsksForMore: Bool {
    guard index > 0 else { return false }
    let previous = tokens[index - 1]
    switch previous.kind {
    case .operator: return previous.isRightBound || !previous.isLeftBound
    case .punctuation: return [",", ":", ".", "@"].contains(previous.text)
    case .identifier: return previous.text == "where"
    default: return false
    }
  }

  static let introducers: Set<String> = [
    "var", "let", "func", "init", "deinit", "subscript", "typealias", "associatedtype", "struct",
    "class", "enum", "actor", "protocol", "extension", "import", "case", "operator",
    "precedencegroup", "macro",
  ]

  private static let introducersWithBody: Set<String> = [
    "init", "deinit", "subscript", "precedencegroup",
  ]

  static let modifiers: Set<String> = [
    "public", "private", "fileprivate", "internal", "package", "open", "static", "final", "lazy",
    "weak", "unowned", "mutating", "nonmutating", "override", "required", "convenience", "dynamic",
    "optional", "indirect", "prefix", "postfix", "infix", "nonisolated", "isolated", "distributed",
    "async", "borrowing", "consuming", "__consuming", "_const", "sending",
  ]
}

/// Parses attributes and modifiers, in any order.
extension DeclarationParser {
  private mutating func parseAttributes() -> ([Attribute], [Modifier]) {
    var attributes: [Attribute] = []
    var modifiers: [Modifier] = []
    while true {
      if current.isPunctuation("@"), let attribute = parseAttribute(inType: false) {
        attributes.append(attribute)
      } else if let modifier = parseModifier() {
        modifiers.append(modifier)
      } else {
        return (attributes, modifiers)
      }
    }
  }

  /// Parses an attribute at its `@`. In a type, arguments must directly follow the name, because
  /// parentheses after a space may be a tuple. Before a declaration, parentheses can only be
  /// arguments.
  mutating func parseAttribute(inType: Bool) -> Attribute? {
    let start = index
    guard peek().kind == .identifier else { return nil }
    advance()
    var name = current.text.withoutBackticks
    advance()
    while current.isPunctuation("."), peek().kind == .identifier {
      advance()
      name = current.text.withoutBackticks
      advance()
    }
    while isModuleSelector {
      advance()
      advance()
      name = current.text.withoutBackticks
      advance()
    }
    if current.isOperator("<"), !current.followsSpace { _ = skipAngleBrackets() }
    if current.isPunctuation("("), !current.followsSpace || (!inType && !current.startsLine) {
      skipGroup()
    }
    return Attribute(name: name, range: range(from: start))
  }

  private mutating func parseModifier() -> Modifier? {
    let isClassModifier =
      current.isWord("class")
      && (Self.modifiers.contains(peek().text)
        || ["var", "let", "func", "subscript"].contains(peek().text))
    guard current.kind == .identifier, Self.modifiers.contains(current.text) || isClassModifier
    else { return nil }
    let start = index
    let name = current.text
    advance()
    var detail: String?
    if current.isPunctuation("("), !current.startsLine {
      let open = current.range
      skipGroup()
      detail = source.text(
        open.upperBound..<max(open.upperBound, tokens[index - 1].range.lowerBound))
    }
    return Modifier(name: name, detail: detail, range: range(from: start))
  }

  /// Whether the current token is the `::` of `Module::name`.
  var isModuleSelector: Bool {
    current.isPunctuation(":") && peek().isPunctuation(":") && !peek().followsSpace
      && peek(2).kind == .identifier
  }
}

/// Parses the names of a `var` or `let` with their types, values and accessors.
extension DeclarationParser {
  /// Parses the bindings after `var` or `let`.
  mutating func parseBindings() -> [Binding] {
    var bindings: [Binding] = []
    repeat {
      guard var binding = parsePattern() else { break }
      if !isModuleSelector, consume(punctuation: ":") {
        binding.type = parseType()
      }
      if current.isWholeOperator("=") {
        advance()
        binding.value = parseExpression()
      }
      if current.isPunctuation("{") {
        binding.accessors = parseAccessors()
      }
      bindings.append(binding)
    } while consume(punctuation: ",")
    return bindings
  }

  private mutating func parsePattern() -> Binding? {
    if current.kind == .identifier {
      let name = word(current)
      advance()
      return Binding(name: name)
    }
    guard current.isPunctuation("(") else { return nil }
    let start = index
    skipGroup()
    let range = range(from: start)
    return Binding(name: Word(text: source.text(range), range: range), isTuple: true)
  }

  private mutating func parseAccessors() -> AccessorBlock {
    let start = index
    let end = indexAfterGroup(at: start)
    var names: [Word] = []
    if beginsAccessors(at: start) {
      var position = start + 1
      while position < end {
        let token = tokens[position]
        if token.kind == .identifier, Self.accessorWords.contains(token.text) {
          names.append(word(token))
        }
        position = indexAfterGroup(at: position)
      }
    }
    index = end
    let isObserved = !names.isEmpty && names.allSatisfy { ["willSet", "didSet"].contains($0.text) }
    return AccessorBlock(
      kind: isObserved ? .observers : .computed, range: range(from: start), names: names)
  }

  /// Whether the brace at `start` contains accessors with explicit names.
  func beginsAccessors(at start: Int) -> Bool {
    var position = start + 1
    while position < tokens.count - 1 {
      let token = tokens[position]
      if token.isPunctuation("@") {
        position = min(position + 2, tokens.count - 1)
        if tokens[position].isPunctuation("(") { position = indexAfterGroup(at: position) }
      } else if token.kind == .pound, token.text == "#if" {
        // Skips `#if` and its condition, so that the loop examines the start of the first branch.
        position += 1
        while position < tokens.count - 1, !tokens[position].startsLine {
          position = indexAfterGroup(at: position)
        }
      } else if token.kind == .identifier, Self.accessorModifiers.contains(token.text) {
        position += 1
      } else {
        guard token.kind == .identifier, Self.accessorWords.contains(token.text) else {
          return false
        }
        guard Self.accessorWordsThatAreNames.contains(token.text) else { return true }
        position += 1
        if tokens[position].isPunctuation("(") { position = indexAfterGroup(at: position) }
        return tokens[position].isPunctuation("{")
      }
    }
    return false
  }

  private static let accessorWords: Set<String> = [
    "get", "set", "willSet", "didSet", "init", "_read", "_modify", "read", "modify", "borrow",
    "mutate", "unsafeAddress", "unsafeMutableAddress", "addressWithOwner",
    "mutableAddressWithOwner",
  ]

  // A closure may also begin with these words, because functions may have these names. They
  // introduce an accessor only before a `{`.
  private static let accessorWordsThatAreNames: Set<String> = [
    "init", "read", "modify", "borrow", "mutate",
  ]

  private static let accessorModifiers: Set<String> = [
    "mutating", "nonmutating", "borrowing", "consuming", "__consuming", "nonisolated", "yielding",
    "private", "fileprivate", "internal", "package", "public",
  ]
}
