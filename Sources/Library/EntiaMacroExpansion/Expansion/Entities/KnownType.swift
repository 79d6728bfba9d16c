/// Recognizes types by their text that are certainly no optionals.
enum KnownType {
  /// Whether the text is that of an array, a dictionary, the ID of an entity, or a type of the
  /// standard library or Foundation.
  static func contains(_ type: String) -> Bool {
    if isCollection(type) { return true }
    let source = SourceBytes(type)
    var parser = DeclarationParser(source)
    var names: [String] = []
    repeat {
      guard parser.current.kind == .identifier else { return false }
      names.append(parser.current.text.withoutBackticks)
      parser.advance()
    } while parser.consume(punctuation: ".")
    if parser.current.isOperator("<"), !parser.skipAngleBrackets() { return false }
    guard parser.isAtEnd else { return false }
    if names.count > 1, ["Swift", "Foundation"].contains(names[0]) { names.removeFirst() }
    return names.last == "EntityID" || (names.count == 1 && all.contains(names[0]))
  }

  /// Whether a type or a value is enclosed in brackets: an array or a dictionary.
  static func isCollection(_ text: String) -> Bool {
    let source = SourceBytes(text)
    var parser = DeclarationParser(source)
    guard parser.current.isPunctuation("[") else { return false }
    parser.skipGroup()
    return parser.isAtEnd
  }

  /// Whether every call of a type, such as `Date()`, returns a value of the type, because none of
  /// its initializers returns an optional.
  static func hasNoFailingInitializer(_ type: String) -> Bool {
    ["Date", "Set", "Array", "Dictionary"].contains {
      type == $0 || type.hasPrefix("\($0)<")
    }
  }

  private static let all: Set<String> = [
    "Bool", "String", "Substring", "Character", "Double", "Float", "Int", "Int8", "Int16", "Int32",
    "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Array", "Set", "Dictionary", "Range",
    "ClosedRange", "Duration", "Date", "Data", "Decimal", "URL", "UUID",
  ]
}
