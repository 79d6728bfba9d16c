/// Initial values, as far as their text tells something.
enum StorageValue {
  /// The type that `value` names when it is a call of it, such as `Tables.Hash<Book>()`.
  static func typeWritten(in value: String) -> String? {
    let source = SourceBytes(value)
    var parser = DeclarationParser(source)
    guard parser.current.kind == .identifier, let range = parser.parseType(),
      parser.current.isPunctuation("(")
    else { return nil }
    parser.skipGroup()
    let type = source.text(range)
    // Functions begin with a lower-case letter.
    return parser.isAtEnd && type.first?.isUppercase == true ? type : nil
  }
}
