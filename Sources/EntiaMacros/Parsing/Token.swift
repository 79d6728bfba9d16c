/// A word of Swift source.
struct Token: Equatable, Sendable {
  enum Kind: Equatable, Sendable {
    /// A name or a keyword; which of the two, the parser knows from where it stands.
    case identifier
    case number
    /// A string literal, whole: delimiters, interpolations and all.
    case string
    /// A regular expression literal, whole.
    case regex
    /// One character of an operator; see `Token.remainingRun`.
    case `operator`
    /// A bracket, or one of `, : ; . @ \`.
    case punctuation
    /// `#if`, `#endif` or another name that begins with `#`.
    case pound
    /// A byte that begins nothing Swift knows.
    case unknown
    /// The end of the source.
    case end
  }

  var kind: Kind
  /// Where the token stands, in UTF-8 bytes.
  var range: Range<Int>
  /// The token's text; empty for literals.
  var text: String
  /// True when this is the first token of its line.
  var startsLine: Bool
  /// True when white space or a comment stands before the token.
  var followsSpace: Bool
  /// For an operator, how many characters of its run are left, this one included. Operators are cut
  /// into characters because `>` may close generics in the middle of a run, as in `Set<Int>?=nil`.
  var remainingRun = 0
  /// True when something stands directly before this operator that it could belong to.
  var isLeftBound = false
  /// True when something stands directly after this operator's run that it could belong to.
  var isRightBound = false

  /// True when this is the punctuation `text`.
  func isPunctuation(_ text: String) -> Bool {
    kind == .punctuation && self.text == text
  }

  /// True when this is the name or keyword `word`.
  func isWord(_ word: String) -> Bool {
    kind == .identifier && text == word
  }

  /// True when this character of an operator is `text`.
  func isOperator(_ text: String) -> Bool {
    kind == .operator && self.text == text
  }

  /// True when this is the operator `text` of one character.
  func isWholeOperator(_ text: String) -> Bool {
    isOperator(text) && remainingRun == 1
  }

  /// True when a group begins here.
  var isOpener: Bool {
    kind == .punctuation && (text == "(" || text == "[" || text == "{")
  }

  /// True when a group ends here.
  var isCloser: Bool {
    kind == .punctuation && (text == ")" || text == "]" || text == "}")
  }
}
