/// A token of Swift source.
struct Token: Equatable, Sendable {
  enum Kind: Equatable, Sendable {
    /// A name or a keyword. The parser distinguishes them by context.
    case identifier
    case number
    /// A whole string literal, with its delimiters and interpolations.
    case string
    /// A whole regular expression literal.
    case regex
    /// One character of an operator; see `Token.remainingRun`.
    case `operator`
    /// A bracket, or one of `, : ; . @ \`.
    case punctuation
    /// `#if`, `#endif` or another name that begins with `#`.
    case pound
    /// A character that begins no other token.
    case unknown
    /// The end of the source.
    case end
  }

  var kind: Kind
  /// The range of the token in UTF-8 bytes.
  var range: Range<Int>
  /// The token's text; empty for literals.
  var text: String
  /// Whether this is the first token of its line.
  var startsLine: Bool
  /// Whether white space or a comment precedes the token.
  var followsSpace: Bool
  /// For a character of an operator, the number of characters from this character to the end of the
  /// operator. Operators are split into characters, because `>` may close generic arguments in the
  /// middle of an operator, as in `Set<Int>?=nil`.
  var remainingRun = 0
  /// Whether a possible operand is directly before the operator that contains this character.
  var isLeftBound = false
  /// Whether a possible operand is directly after the operator that contains this character.
  var isRightBound = false

  /// Whether this is the punctuation `text`.
  func isPunctuation(_ text: String) -> Bool {
    kind == .punctuation && self.text == text
  }

  /// Whether this is the name or keyword `word`.
  func isWord(_ word: String) -> Bool {
    kind == .identifier && text == word
  }

  /// Whether this character of an operator is `text`.
  func isOperator(_ text: String) -> Bool {
    kind == .operator && self.text == text
  }

  /// Whether this is the one-character operator `text`.
  func isWholeOperator(_ text: String) -> Bool {
    isOperator(text) && remainingRun == 1
  }

  /// Whether this token opens a group.
  var isOpener: Bool {
    kind == .punctuation && (text == "(" || text == "[" || text == "{")
  }

  /// Whether this token closes a group.
  var isCloser: Bool {
    kind == .punctuation && (text == ")" || text == "]" || text == "}")
  }
}
