/// The type of a part of a storage, as far as its text shows it.
struct PartType: Equatable, Sendable {
  /// The names before the generic arguments, without the module: `Indexes` and `Sorted`.
  let names: [String]
  /// The generic arguments, such as `Book` and `Int`; empty when they cannot be read.
  let arguments: [String]

  /// Reads a type that has no more than names and generic arguments: `Entia.ToOne<Book, Author>`. It
  /// is nil for any other type, and for one that Entia does not name.
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
