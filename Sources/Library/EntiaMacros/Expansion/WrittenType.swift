/// The type of a storage's part in the user's code.
struct WrittenType: Equatable, Sendable {
  /// The wrapped type of an optional, or `nil` for another type: `Tables.Hash<Book>` for
  /// `Tables.Hash<Book>?`.
  let wrapped: String?
  /// The element type of a standard library collection or an identified array, or `nil` for another
  /// type: `Book` for `[Book]`.
  let element: String?

  init(_ text: String) {
    let source = SourceBytes(text)
    let parser = DeclarationParser(source)
    let tokens = parser.tokens.dropLast()
    guard let first = tokens.first, let last = tokens.last else {
      (wrapped, element) = (nil, nil)
      return
    }
    let arguments = GenericArgument.all(of: text)
    if tokens.count > 1, last.isOperator("?") || last.isOperator("!") {
      wrapped = source.text(first.range.lowerBound..<last.range.lowerBound)
    } else {
      wrapped = first.isWord("Optional") ? arguments.first : nil
    }
    if first.isPunctuation("["), last.isPunctuation("]") {
      let inner = tokens.dropFirst().dropLast()
      let start = inner.lastIndex { $0.isPunctuation(":") }.map { $0 + 1 } ?? inner.startIndex
      let held = tokens[start..<(tokens.endIndex - 1)]
      element = held.isEmpty ? nil : held.map { source.text($0.range) }.joined()
    } else {
      element = Self.collections.contains(first.text) ? arguments.last : nil
    }
  }

  private static let collections: Set<String> = [
    "Array", "ContiguousArray", "Set", "Dictionary", "IdentifiedArray", "IdentifiedArrayOf",
  ]
}
