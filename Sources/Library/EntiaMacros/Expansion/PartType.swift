/// The type of a part of a storage, parsed from its text.
struct PartType: Equatable, Sendable {
  /// The names before the generic arguments, without the module: `Indexes` and `Sorted`.
  let names: [String]
  /// The generic arguments, such as `Book` and `Int`; empty if they cannot be parsed.
  let arguments: [String]

  /// Parses a type that consists of names and generic arguments: `Entia.ToOne<Book, Author>`.
  /// Returns `nil` for any other type, and for a type that is not one of Entia's.
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
