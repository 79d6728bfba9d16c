/// Compares generic arguments by their text.
enum GenericArgument {
  /// The first generic argument of `type` without spaces and comments that mean nothing, nil when it
  /// has none: `Book` for `Tables.Hash< Book >`.
  static func first(of type: String) -> String? { all(of: type).first }

  /// The generic arguments of `type` without spaces and comments that mean nothing: `Book` and `Int`
  /// for `Indexes.Sorted<Book, Int>`; none when one of them cannot be read.
  static func all(of type: String) -> [String] {
    let source = SourceBytes(type)
    var parser = DeclarationParser(source)
    while !parser.isAtEnd, !parser.current.isOperator("<") { parser.skipGroup() }
    guard parser.current.isOperator("<") else { return [] }
    parser.advance()
    var arguments: [String] = []
    while true {
      let start = parser.index
      guard parser.parseType() != nil else { return [] }
      arguments.append(text(of: parser.tokens[start..<parser.index], in: source))
      if parser.consume(punctuation: ",") { continue }
      return parser.current.isOperator(">") ? arguments : []
    }
  }

  private static func text(of tokens: ArraySlice<Token>, in source: SourceBytes) -> String {
    var text = ""
    var previous: Token?
    for token in tokens {
      // A space is needed only between words: `any P`.
      if previous?.kind == .identifier, token.kind == .identifier { text += " " }
      text += token.text.isEmpty ? source.text(token.range) : token.text
      previous = token
    }
    return text
  }
}
