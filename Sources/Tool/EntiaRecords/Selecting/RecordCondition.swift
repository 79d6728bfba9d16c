import EntiaCoding

/// A condition on the members of a row, such as `year > 1999 and author = "a1"`.
///
/// ```swift
/// let condition = try RecordCondition.parse(
///   "year > 1999 and (author = \"a1\" or tags contains 'x')")
/// let rows = try database.rows(RecordSelection(of: "posts", where: condition))
/// ```
public struct RecordCondition: Sendable {
  /// A comparison operator.
  enum Operator: String, Sendable, CaseIterable {
    case equal = "="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case contains
  }

  /// The literal on the right-hand side of a comparison.
  enum Literal: Sendable, Equatable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
  }

  indirect enum Node: Sendable {
    case comparison(ExactString, Operator, Literal)
    case all([Node])
    case any([Node])
    case negation(Node)
  }

  let root: Node

  /// The names of the compared members.
  var members: [ExactString] {
    var members: [ExactString] = []
    var nodes = [root]
    while let node = nodes.popLast() {
      switch node {
      case .comparison(let member, _, _): members.append(member)
      case .all(let parts), .any(let parts): nodes += parts.reversed()
      case .negation(let part): nodes.append(part)
      }
    }
    return members
  }
}

/// An error in the text of a condition.
public struct ConditionError: Error, Hashable, Sendable {
  /// A description of the error.
  package let message: String
  /// The position of the error in characters, counted from 1.
  package let column: Int
}

extension ConditionError: CustomStringConvertible {
  /// The message and the position.
  public var description: String { "\(message), at character \(column)" }
}

extension RecordCondition {
  /// Returns whether a row fulfills the condition.
  ///
  /// - Complexity: O(comparisons × size of the row).
  func holds(for row: Record, _ reader: MemberReader) -> Bool {
    Self.holds(root, row, reader)
  }

  // Recursion is safe, because the parser bounds the depth.
  private static func holds(_ node: Node, _ row: Record, _ reader: MemberReader) -> Bool {
    switch node {
    case .comparison(let member, let relation, let literal):
      return reader.value(of: member, in: row).fulfils(relation, literal)
    case .all(let parts): return parts.allSatisfy { holds($0, row, reader) }
    case .any(let parts): return parts.contains { holds($0, row, reader) }
    case .negation(let part): return !holds(part, row, reader)
    }
  }
}

extension RecordCondition {
  /// Parses a condition.
  ///
  /// A comparison is `member = value`, with `=`, `!=`, `<`, `<=`, `>`, `>=` or `contains`, or
  /// `member in (value, value)`. Comparisons are joined by `and` and `or`, and grouped by
  /// parentheses. `and` has the higher precedence. `not` negates a comparison or a group; it may
  /// also precede `in` or `contains`. A value is a number, a string in single or double quotes,
  /// `true`, `false` or `null`. A member whose name is not a plain word is written in double
  /// quotes. `where.place` is the member `place` of the object in `where`, unless the row has a
  /// member named `where.place`.
  ///
  /// Numbers are compared by value, strings by their UTF-8 bytes. A missing member is `null`. A
  /// reference is compared as the ID of its target, and an ID equals its text. `contains` is true
  /// for a string that contains the value, and for an array with an element equal to the value.
  /// Values of different types are unequal, and neither is less than the other.
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
    return .comparison(ExactString(member.text), relation, literal.value)
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
      parts.append(.comparison(ExactString(member.text), .equal, try literal().value))
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

  /// Reads the string that begins with a quote. Inside the string, the quote is written twice or
  /// after a backslash.
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
