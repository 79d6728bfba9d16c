/// Compares generic arguments by their text.
enum GenericArgument {
  /// The first generic argument of `type` without spaces and comments that mean nothing, nil when it
  /// has none: `Book` for `Tables.Hash< Book >`.
  static func first(of type: String) -> String? {
    let source = SourceBytes(type)
    var parser = DeclarationParser(source)
    while !parser.isAtEnd, !parser.current.isOperator("<") { parser.skipGroup() }
    guard parser.current.isOperator("<") else { return nil }
    parser.advance()
    let start = parser.index
    guard parser.parseType() != nil else { return nil }
    var text = ""
    var previous: Token?
    for token in parser.tokens[start..<parser.index] {
      // A space is needed only between words: `any P`.
      if previous?.kind == .identifier, token.kind == .identifier { text += " " }
      text += token.text.isEmpty ? source.text(token.range) : token.text
      previous = token
    }
    return text
  }
}
