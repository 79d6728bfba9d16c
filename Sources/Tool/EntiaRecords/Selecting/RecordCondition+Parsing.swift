import EntiaCoding

extension RecordCondition {
  /// Parses a condition.
  ///
  /// A comparison is `member = value`, with `=`, `!=`, `<`, `<=`, `>`, `>=` or `contains`, or
  /// `member in (value, value)`. Comparisons are joined by `and` and `or`, where `and` has the
  /// higher precedence, grouped by parentheses, and negated by `not` before a comparison or a
  /// parenthesis, or before `in` or `contains`. A value is a number, a string in single or double
  /// quotes, `true`, `false` or `null`. A member whose name is not a plain word is written in
  /// double quotes. `where.place` is the member `place` of the object in `where`, unless the row
  /// has a member of that name.
  ///
  /// Numbers are compared by value, strings by their UTF-8 bytes. A missing member is `null`. A
  /// reference is compared as the ID of its target, and an ID equals its text. `contains` is true
  /// for a string that contains the value, and for an array with an element equal to the value.
  /// Values of different types are unequal, and neither is less.
  ///
  /// - Parameter text: The condition.
  /// - Returns: The parsed condition.
  /// - Throws: A ``ConditionError`` if the text is not a valid condition.
  /// - Complexity: O(length of the text).
  public static func parse(_ text: String) throws(ConditionError) -> RecordCondition {
    var parser = ConditionParser(text)
    return RecordCondition(root: try parser.condition())
  }
}

/// A recursive descent parser of conditions with a bounded depth.
private struct ConditionParser {
  /// A token of the text.
  private struct Token {
    enum Kind: Equatable {
      case word
      case string
      case symbol
      case end
    }

    let kind: Kind
    /// The word, the symbol, or the content of the string.
    let text: String
    let column: Int

    /// The description of the token in messages.
    var kindDescription: String {
      kind == .end ? "the end" : kind == .string ? text.quoted : "'\(text)'"
    }

    func isWord(_ word: String) -> Bool { kind == .word && text.lowercased() == word }
    func isSymbol(_ symbol: String) -> Bool { kind == .symbol && text == symbol }
  }

  private static let maximumDepth = 100

  private let characters: [Character]
  private var position = 0
  private var token = Token(kind: .end, text: "", column: 1)

  init(_ text: String) { characters = Array(text) }

  mutating func condition() throws(ConditionError) -> RecordCondition.Node {
    try advance()
    let node = try alternatives(depth: 0)
    guard token.kind == .end else {
      throw unexpected("'and', 'or' or the end", hint: Self.hint(for: token.text))
    }
    return node
  }

  private mutating func alternatives(depth: Int) throws(ConditionError) -> RecordCondition.Node {
    var parts = [try conjunction(depth: depth)]
    while token.isWord("or") {
      try advance()
      parts.append(try conjunction(depth: depth))
    }
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  private mutating func conjunction(depth: Int) throws(ConditionError) -> RecordCondition.Node {
    var parts = [try primary(depth: depth)]
    while token.isWord("and") {
      try advance()
      parts.append(try primary(depth: depth))
    }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  private mutating func primary(depth: Int) throws(ConditionError) -> RecordCondition.Node {
    let negates = token.isWord("not")
    guard negates || token.isSymbol("(") else { return try comparison() }
    guard depth < Self.maximumDepth else {
      throw ConditionError(
        message: "parentheses and 'not' nest deeper than \(Self.maximumDepth) levels",
        column: token.column)
    }
    try advance()
    if negates { return .negation(try primary(depth: depth + 1)) }
    let node = try alternatives(depth: depth + 1)
    guard token.isSymbol(")") else {
      throw unexpected("'and', 'or' or ')'", hint: Self.hint(for: token.text))
    }
    try advance()
    return node
  }

  private mutating func comparison() throws(ConditionError) -> RecordCondition.Node {
    let member = token
    guard member.kind == .word || member.kind == .string, !member.isWord("and"),
      !member.isWord("or")
    else { throw unexpected("the name of a member") }
    try advance()
    if token.isWord("not") {
      try advance()
      guard token.isWord("in") || token.isWord("contains") else {
        throw unexpected("in or contains after 'not'")
      }
      return .negation(try comparison(of: member))
    }
    return try comparison(of: member)
  }

  /// Parses the rest of a comparison, from its operator.
  private mutating func comparison(
    of member: Token
  ) throws(ConditionError) -> RecordCondition.Node {
    if token.isWord("in") { return try membership(of: member) }
    let relation =
      token.isWord("contains")
      ? .contains
      : token.kind == .symbol ? RecordCondition.Operator(rawValue: token.text) : nil
    guard let relation else {
      throw unexpected(
        "=, !=, <, <=, >, >=, contains or in after \(member.kindDescription)",
        hint: Self.hint(for: token.text))
    }
    try advance()
    let literal = try literal()
    switch (relation, literal.value) {
    case (.less, .null), (.lessOrEqual, .null), (.greater, .null), (.greaterOrEqual, .null),
      (.less, .bool), (.lessOrEqual, .bool), (.greater, .bool), (.greaterOrEqual, .bool):
      throw ConditionError(
        message: "\(literal.token.kindDescription) is compared with = or != only",
        column: literal.token.column)
    default: break
    }
    return .comparison(
      RecordCondition.Comparison(
        member: ExactString(member.text), relation: relation, literal: literal.value))
  }

  /// Parses the list of values after `in`.
  private mutating func membership(
    of member: Token
  ) throws(ConditionError) -> RecordCondition.Node {
    try advance()
    guard token.isSymbol("(") else { throw unexpected("'(' and a list of values after 'in'") }
    var parts: [RecordCondition.Node] = []
    repeat {
      try advance()
      parts.append(
        .comparison(
          RecordCondition.Comparison(
            member: ExactString(member.text), relation: .equal, literal: try literal().value)))
    } while token.isSymbol(",")
    guard token.isSymbol(")") else { throw unexpected("',' or ')' in the list after 'in'") }
    try advance()
    return .any(parts)
  }

  private mutating func literal() throws(ConditionError) -> (
    value: RecordCondition.Literal, token: Token
  ) {
    let found = token
    var value: RecordCondition.Literal?
    switch found.kind {
    case .string: value = .string(found.text)
    case .word:
      switch found.text {
      case "null": value = .null
      case "true": value = .bool(true)
      case "false": value = .bool(false)
      default: value = JSONNumber(found.text).map { .number($0) }
      }
    case .symbol, .end: break
    }
    guard let value else {
      throw unexpected(
        "a value",
        hint: found.kind == .word ? "a string is written \(found.text.quoted)" : nil)
    }
    try advance()
    return (value, found)
  }

  private func unexpected(_ expected: String, hint: String? = nil) -> ConditionError {
    ConditionError(
      message: "expected \(expected), found \(token.kindDescription)"
        + (hint.map { "; \($0)" } ?? ""),
      column: token.column)
  }

  /// Returns a hint for an operator of another language.
  private static func hint(for text: String) -> String? {
    switch text.lowercased() {
    case "==", "is": "write ="
    case "<>": "write !="
    case "&&", "&": "write and"
    case "||", "|": "write or"
    case "like", "~", "=~": "write contains"
    case "!": "write not"
    default: nil
    }
  }

  // MARK: Tokens

  private mutating func advance() throws(ConditionError) {
    while position < characters.count, characters[position].isWhitespace { position += 1 }
    let start = position
    guard start < characters.count else {
      token = Token(kind: .end, text: "", column: start + 1)
      return
    }
    let first = characters[start]
    if first == "\"" || first == "'" {
      token = Token(kind: .string, text: try string(first), column: start + 1)
      return
    }
    let isWord = Self.isWordCharacter(first)
    let isParenthesis = first == "(" || first == ")"
    repeat {
      position += 1
    } while !isParenthesis && position < characters.count
      && Self.isWordCharacter(characters[position]) == isWord
      && !Self.endsSymbol(characters[position], isWord)
    token = Token(
      kind: isWord ? .word : .symbol, text: String(characters[start..<position]), column: start + 1)
  }

  private static func endsSymbol(_ character: Character, _ isWord: Bool) -> Bool {
    !isWord && (character.isWhitespace || "\"'()".contains(character))
  }

  private static func isWordCharacter(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || "_$@.-+:/".contains(character)
  }

  /// Reads the string that begins with a quote. Inside it the quote is doubled or follows a
  /// backslash.
  private mutating func string(_ quote: Character) throws(ConditionError) -> String {
    let start = position
    var text = ""
    position += 1
    while position < characters.count {
      let character = characters[position]
      position += 1
      let next = position < characters.count ? characters[position] : nil
      if character == quote {
        guard next == quote else { return text }
        position += 1
        text.append(quote)
      } else if character == "\\", let next, next == quote || next == "\\" {
        position += 1
        text.append(next)
      } else {
        text.append(character)
      }
    }
    throw ConditionError(message: "the string is not closed", column: start + 1)
  }
}
