/// Extracts generic arguments from the text of a type.
enum GenericArgument {
  /// Returns the first generic argument of `type` without insignificant spaces and comments, or
  /// `nil` if it has none: `Book` for `Tables.Hash< Book >`.
  static func first(of type: String) -> String? { all(of: type).first }

  /// Returns the generic arguments of `type` without insignificant spaces and comments: `Book` and
  /// `Int` for `Indexes.Sorted<Book, Int>`. The result is empty if one of them cannot be parsed.
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

/// The type of a part of a storage, parsed from its text.
struct PartType: Equatable, Sendable {
  /// The names before the generic arguments, without the module: `Indexes` and `Sorted`.
  let names: [String]
  /// The generic arguments, such as `Book` and `Int`; empty if they cannot be parsed.
  let arguments: [String]

  /// Parses a type that consists of names and generic arguments: `Entia.ToOne<Book, Author>`.
  /// Returns `nil` for any other type, and for a type of another module.
  init?(_ type: String) {
    let source = SourceBytes(type)
    var parser = DeclarationParser(source)
    var names: [String] = []
    repeat {
      guard parser.current.kind == .identifier else { return nil }
      names.append(parser.current.text.withoutBackticks)
      parser.advance()
    } while parser.consume(punctuation: ".")
    if parser.current.isOperator("<"), !parser.skipAngleBrackets() { return nil }
    guard parser.isAtEnd, Marker(forType: type) != nil else { return nil }
    if ["Entia", "EntiaDatabase"].contains(names.first) { names.removeFirst() }
    self.names = names
    arguments = GenericArgument.all(of: type)
  }
}
