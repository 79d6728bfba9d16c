/// Extracts types from the text of initial values.
enum StorageValue {
  /// Returns the type that `value` names if it is an initializer call, such as
  /// `Tables.Hash<Book>()`.
  static func typeWritten(in value: String) -> String? {
    let source = SourceBytes(value)
    var parser = DeclarationParser(source)
    guard parser.current.kind == .identifier, let range = parser.parseType(),
      parser.current.isPunctuation("(")
    else { return nil }
    parser.skipGroup()
    let type = source.text(range)
    // Names of functions begin with a lowercase letter.
    return parser.isAtEnd && type.first?.isUppercase == true ? type : nil
  }
}
