/// Infers the types of literals.
enum LiteralType {
  /// Returns the type of a literal without a type; `nil` for any other value.
  static func of(_ value: String) -> String? {
    let source = SourceBytes(value)
    var tokens = Lexer.tokens(of: source).filter { $0.kind != .end }[...]
    if tokens.count == 2, tokens.first?.isWholeOperator("-") == true { tokens.removeFirst() }
    guard tokens.count == 1, let literal = tokens.first else { return nil }
    if literal.isWord("true") || literal.isWord("false") { return "Bool" }
    if literal.kind == .string { return "String" }
    guard literal.kind == .number else { return nil }
    let token = source.text(literal.range)
    let isHexadecimal = token.hasPrefix("0x")
    let isDecimal = token.contains(".") || token.contains(isHexadecimal ? "p" : "e")
    return isDecimal ? "Double" : "Int"
  }
}
